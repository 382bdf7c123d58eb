import { visibleForm } from "#app/platform/visible-text.ts";

/** A form, or why it cannot be read. */
export type SentForm = { ok: true; form: FormData } | { ok: false; code: "too_large" | "unreadable" };

/** Reads a form of at most `maxBytes`, without characters that nobody sees. */
export async function readForm(request: Pick<Request, "body" | "headers">, maxBytes: number): Promise<SentForm> {
  if (Number(request.headers.get("Content-Length") ?? 0) > maxBytes) return { ok: false, code: "too_large" };
  try {
    const body = await readAtMost(request.body, maxBytes);
    if (body === null) return { ok: false, code: "too_large" };
    const headers = { "Content-Type": request.headers.get("Content-Type") ?? "" };
    return { ok: true, form: visibleForm(await new Response(body, { headers }).formData()) };
  } catch {
    return { ok: false, code: "unreadable" };
  }
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
