/** The wholesale filter in the address of a list. */

/** Whether an address asks for wholesale listings only. */
export function wantsWholesale(params: URLSearchParams): boolean {
  return params.get("wholesale") === "1";
}

/** A list that can show wholesale listings only. */
export interface WholesaleFilter {
  /** The address of the list as it is shown, with the filter. */
  path: string;
  /** The link that switches the filter on or off. */
  toggle: { to: string; "aria-current"?: true };
}

/** The filter of the list at `path`, which has no filter itself. */
export function wholesaleFilter(path: string, on: boolean): WholesaleFilter {
  const filtered = `${path}${path.includes("?") ? "&" : "?"}wholesale=1`;
  return on ? { path: filtered, toggle: { to: path, "aria-current": true } } : { path, toggle: { to: filtered } };
}
