/**
 * A path as logs may have it: without the token of a callback, an appeal, a handover or an unsubscribe link, and
 * without the phone number that ends a checkout request id.
 */
export function loggedPath(path: string): string {
  if (path.startsWith("/hooks/")) return path.split("/").slice(0, 4).join("/");
  // Screens are found whatever the case of their address.
  const screen = /^\/(appeals|handover|unsubscribe)\//.exec(path.toLowerCase())?.[1];
  if (screen) return `/${screen}`;
  return path.startsWith("/api/mpesa/status/") ? "/api/mpesa/status" : path;
}
