/** Bytes. */
const MAX_BODY = 10_000;

/**
 * Whether a writing request comes from our own pages. Browsers send the origin. A request without one comes from a program, which
 * has no user's cookies to abuse.
 */
export function isOwnOrigin(request: Request, appOrigin: string): boolean {
  const origin = request.headers.get("Origin");
  return origin === null || origin === appOrigin || origin === new URL(request.url).origin;
}

/** The JSON of the body; undefined when it isn't JSON or is larger than 10 kB. */
export async function readJson(request: Request): Promise<unknown> {
  const body = await readAtMost(request.body, MAX_BODY);
  if (body === null) return undefined;
  try {
    return JSON.parse(new TextDecoder().decode(body)) as unknown;
  } catch {
    return undefined;
  }
}

/** The body's text; null when it is longer than `max` bytes, whatever its Content-Length says. */
export async function readAtMost(
  sent: ReadableStream<Uint8Array> | null,
  max: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  if (!sent) return new Uint8Array(0);
  const reader = sent.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.byteLength;
    if (size > max) {
      await reader.cancel();
      return null;
    }
    chunks.push(value);
  }
  const body = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    body.set(chunk, at);
    at += chunk.byteLength;
  }
  return body;
}
