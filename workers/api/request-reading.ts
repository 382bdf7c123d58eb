import { readAtMost } from "#app/request/form-data.server.ts";

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
