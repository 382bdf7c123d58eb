/**
 * The path and query of the screen that a request is about, as the address bar shows them. The router asks for a screen's data
 * under the same path with ".data" behind it, and names in `_routes` which parts of the screen it wants.
 */
export function screenPath(request: Request): string {
  const { pathname, searchParams } = new URL(request.url);
  searchParams.delete("_routes");
  const query = searchParams.toString();
  return pathname.replace(/\.data$/, "") + (query === "" ? "" : `?${query}`);
}
