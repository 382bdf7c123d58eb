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
  if (Number(request.headers.get("Content-Length") ?? 0) > MAX_BODY) return undefined;
  const text = await request.text();
  if (text.length > MAX_BODY) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
