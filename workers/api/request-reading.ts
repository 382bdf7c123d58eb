/** Bytes. */
const MAX_BODY = 10_000;

/**
 * Whether a request that changes something may be taken: browsers name the site that sends it. A program that names none has no
 * cookies of anybody's to abuse.
 */
export function isOwnOrigin(request: Request, appOrigin: string): boolean {
  const origin = request.headers.get("Origin");
  return origin === null || origin === appOrigin || origin === new URL(request.url).origin;
}

/** The JSON of a small body; undefined where it is none, or more than 10 kB. */
export async function readJson(request: Request): Promise<unknown> {
  const body = await readAtMost(request.body, MAX_BODY);
  if (body === null) return undefined;
  try {
    return JSON.parse(new TextDecoder().decode(body)) as unknown;
  } catch {
    return undefined;
  }
}

/** What is sent, or null where it is longer than `max` bytes, whatever its header says. */
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
