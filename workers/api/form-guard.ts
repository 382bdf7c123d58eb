import { readAtMost } from "./request-reading.ts";

/** Bytes: the longest form without a file; texts are much shorter. */
const MAX_FORM = 128 * 1024;
/** Bytes: a form with files up to this size is looked through here; larger ones are read, and bounded, by the screens that take files. */
const MAX_CHECKED = 1024 * 1024;

/** The screens that take files, with or without scripts (app/routes.ts). Each bounds what it reads. */
const TAKES_FILES = /^\/(auth\/signup|settings|add-product|product\/[^/]+\/edit|myshop\/settings)(\.data)?$/;

/** A request whose form can be read, or the status that refuses it. */
type Guarded = { ok: true; request: Request } | { ok: false; status: 400 | 413 | 415 };

/**
 * Makes sure, for every screen at once, that what was sent is a form and not too long, so that reading it cannot fail. A request
 * without a body is an empty form.
 */
export async function guardForm(request: Request): Promise<Guarded> {
  const type = (request.headers.get("Content-Type") ?? "").split(";")[0]?.trim().toLowerCase();
  if (type === "multipart/form-data") return guardFiles(request);
  if (request.body !== null && type !== "" && type !== "application/x-www-form-urlencoded" && type !== "text/plain")
    return { ok: false, status: 415 };
  const body = await readAtMost(request.body, MAX_FORM);
  if (body === null) return { ok: false, status: 413 };
  if (type === "text/plain" && body.byteLength > 0) return { ok: false, status: 415 };
  const headers = new Headers(request.headers);
  headers.set("Content-Type", "application/x-www-form-urlencoded");
  return {
    ok: true,
    request: new Request(request.url, { method: request.method, headers, body, signal: request.signal }),
  };
}

async function guardFiles(request: Request): Promise<Guarded> {
  const large: Guarded = TAKES_FILES.test(new URL(request.url).pathname)
    ? { ok: true, request }
    : { ok: false, status: 413 };
  if (Number(request.headers.get("Content-Length") ?? 0) > MAX_CHECKED) return large;
  const body = await readAtMost(request.clone().body, MAX_CHECKED);
  if (body === null) return large;
  try {
    await new Response(body, { headers: { "Content-Type": request.headers.get("Content-Type") ?? "" } }).formData();
    return { ok: true, request };
  } catch {
    return { ok: false, status: 400 };
  }
}
