import { readAtMost } from "./form-guard.ts";

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
