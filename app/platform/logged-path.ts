/**
 * A path as logs may have it: without the token of a callback or an appeal, and without the phone number that ends a
 * checkout request id.
 */
export function loggedPath(path: string): string {
  if (path.startsWith("/hooks/")) return path.split("/").slice(0, 4).join("/");
  // Screens are found whatever the case of their address.
  if (path.toLowerCase().startsWith("/appeals/")) return "/appeals";
  return path.startsWith("/api/mpesa/status/") ? "/api/mpesa/status" : path;
}
