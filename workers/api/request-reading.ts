import { visibleJson } from "#app/platform/visible-text.ts";
import { readAtMost } from "#app/request/form-data.server.ts";

/** Bytes. */
const MAX_BODY = 10_000;

/**
 * Whether a writing request comes from our own pages. Browsers send the origin, or at least whether it is ours
 * (Sec-Fetch-Site). A request without either comes from a program, which has no user's cookies to abuse.
 */
export function isOwnOrigin(request: Request, appOrigin: string): boolean {
  const origin = request.headers.get("Origin");
  if (origin !== null) return origin === appOrigin || origin === new URL(request.url).origin;
  return [null, "same-origin", "none"].includes(request.headers.get("Sec-Fetch-Site"));
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
