import { matchPath } from "react-router";
import { SCREENS } from "#app/screen-rules.ts";
import { screenPath } from "#app/request/screen-path.ts";
import { visibleForm } from "#app/platform/visible-text.ts";
import { readAtMost, readForm } from "#app/request/form-data.server.ts";

/** The largest form without a file, in bytes. */
const MAX_FORM = 128 * 1024;
/**
 * Forms with files are checked here up to this size, in bytes. Screens that take files read and limit larger ones
 * themselves.
 */
const MAX_CHECKED = 1024 * 1024;

/** The screens that take files. */
const FILE_FORMS = Object.keys(SCREENS).filter((pattern) => SCREENS[pattern]?.takesFiles);

/**
 * A request with a readable form, or the status that refuses it. `unsure`: the fields of a form whose question has no
 * tick (app/ui/forms/confirm-tick.tsx), which some browsers without scripts send all the same.
 */
type Guarded =
  | { ok: true; request: Request; unsure?: [name: string, value: string][] }
  | { ok: false; status: 400 | 413 | 415 };

/**
 * Checks that the body is a form and not too long, so that the screens can read it without failing, and takes out the
 * characters that nobody sees. A request without a body counts as an empty form.
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
  const form = new FormData();
  for (const [name, value] of new URLSearchParams(new TextDecoder().decode(body))) form.append(name, value);
  const fields = new URLSearchParams([...visibleForm(form)].map(([name, value]) => [name, String(value)]));
  return {
    ok: true,
    ...(fields.has("asks") && !fields.has("sure") && { unsure: [...fields] }),
    request: new Request(request.url, {
      method: request.method,
      headers,
      body: fields.toString(),
      signal: request.signal,
    }),
  };
}

async function guardFiles(request: Request): Promise<Guarded> {
  const path = new URL(screenPath(request), request.url).pathname;
  if (FILE_FORMS.some((pattern) => matchPath(pattern, path))) return { ok: true, request };
  const sent = await readForm(request.clone(), MAX_CHECKED);
  if (!sent.ok) return { ok: false, status: sent.code === "too_large" ? 413 : 400 };
  const headers = new Headers(request.headers);
  // The body gets another boundary.
  headers.delete("Content-Type");
  const { method, signal } = request;
  return { ok: true, request: new Request(request.url, { method, headers, body: sent.form, signal }) };
}
