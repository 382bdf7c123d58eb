import { visibleJson } from "#app/platform/visible-text.ts";
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

/** The JSON of the body, without characters that nobody sees; undefined when it isn't JSON or is larger than 10 kB. */
export async function readJson(request: Request): Promise<unknown> {
  const body = await readAtMost(request.body, MAX_BODY);
  if (body === null) return undefined;
  try {
    return visibleJson(JSON.parse(new TextDecoder().decode(body)));
  } catch {
    return undefined;
  }
}
