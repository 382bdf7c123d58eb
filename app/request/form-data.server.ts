import { visibleForm } from "#app/platform/visible-text.ts";

/** A form, or why it cannot be read. */
export type SentForm = { ok: true; form: FormData } | { ok: false; code: "too_large" | "unreadable" };

/** Reads a form of at most `maxBytes`, without characters that nobody sees. */
export async function readForm(request: Pick<Request, "body" | "headers">, maxBytes: number): Promise<SentForm> {
  if (Number(request.headers.get("Content-Length") ?? 0) > maxBytes) return { ok: false, code: "too_large" };
  try {
    const body = await readAtMost(request.body, maxBytes);
    return body === null ? { ok: false, code: "too_large" } : { ok: true, form: await parse(request, body) };
  } catch {
    return { ok: false, code: "unreadable" };
  }
}

/** Bytes of a form with files that are read at most, and that are kept at its beginning and end if it is too large. */
const MOST_READ = 64 * 1024 * 1024;
const EDGE = 64 * 1024;
/** Bytes after which the middle is left out again. */
const CUT_AT = 1024 * 1024;

/**
 * Reads a form with files. One of more than `maxBytes` is cut: it comes without its files, but with the fields before
 * and after them, so that they can go back to whoever typed them. Nothing else may be done with it.
 */
export async function readFileForm(
  request: Pick<Request, "body" | "headers">,
  maxBytes: number,
): Promise<Extract<SentForm, { ok: false }> | { ok: true; form: FormData; isCut: boolean }> {
  if (Number(request.headers.get("Content-Length") ?? 0) > MOST_READ) return { ok: false, code: "too_large" };
  let [kept, size, sum]: [BlobPart[], number, number] = [[], 0, 0];
  let most = maxBytes;
  try {
    for await (const chunk of request.body ?? []) {
      kept.push(chunk);
      [size, sum] = [size + chunk.byteLength, sum + chunk.byteLength];
      if (sum > MOST_READ) return { ok: false, code: "too_large" };
      if (size <= most) continue;
      // The middle is that of a file.
      const whole = new Blob(kept);
      // Copies: a slice would hold the whole in memory.
      const edges = [whole.slice(0, EDGE), whole.slice(-EDGE)].map((edge) => edge.arrayBuffer());
      [kept, size, most] = [await Promise.all(edges), 2 * EDGE, CUT_AT];
    }
    const form = await parse(request, new Blob(kept));
    const isCut = sum > maxBytes;
    const files = [...form].filter(([, value]) => value instanceof File);
    if (isCut) for (const [name] of files) form.delete(name);
    return { ok: true, form, isCut };
  } catch {
    return { ok: false, code: sum > maxBytes ? "too_large" : "unreadable" };
  }
}

async function parse({ headers }: Pick<Request, "headers">, body: BodyInit): Promise<FormData> {
  const type = headers.get("Content-Type") ?? "";
  return visibleForm(await new Response(body, { headers: { "Content-Type": type } }).formData());
}

/** A body, or null where it is longer than `maxBytes`. Stops reading at the limit, whatever the Content-Length says. */
export async function readAtMost(
  body: ReadableStream<Uint8Array<ArrayBuffer>> | null,
  maxBytes: number,
): Promise<ArrayBuffer | null> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) return null;
    chunks.push(chunk);
  }
  return new Blob(chunks).arrayBuffer();
}
