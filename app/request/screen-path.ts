import { parseUrl } from "#app/platform/link-rules.ts";
import { SCREENS } from "#app/screen-rules.ts";

/**
 * The path and query of the screen that a request is about, as the address bar shows them. The router asks for a
 * screen's data under the same path with ".data" behind it, and names in `_routes` which parts of the screen it wants.
 */
export function screenPath(request: Request): string {
  const { pathname, searchParams } = new URL(request.url);
  searchParams.delete("_routes");
  const query = searchParams.toString();
  return pathname.replace(/\.data$/, "") + (query === "" ? "" : `?${query}`);
}

/**
 * Where to go after a login that a request leads to: its screen. What has none leads back to the page that asked for
 * it.
 */
export function returnPath(request: Request, pattern: string): string {
  if (SCREENS[`/${pattern}`]?.part !== "stays") return screenPath(request);
  const from = parseUrl(request.headers.get("Referer") ?? "");
  if (from === null || from.origin !== new URL(request.url).origin) return "/home";
  return screenPath(new Request(from.href));
}
