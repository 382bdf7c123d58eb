/** What has just happened, in the address that follows it. The page shows it once, and takes it out of the address. */
const JUST = "just";

/** A listing is live; an item is sold; the handover code was right. */
export type Just = "listed" | "sold" | "code";

export function withJust(path: string, what: Just): string {
  return `${path}?${JUST}=${what}`;
}

/** Whether a page is asked for to show this. */
export function isJust({ url }: Pick<Request, "url">, what: Just): boolean {
  return new URL(url).searchParams.get(JUST) === what;
}

/** Runs in the browser: going back or loading again finds the page without it. */
export function forgetJust(): void {
  const { pathname, search, hash } = window.location;
  const left = new URLSearchParams(search);
  if (!left.has(JUST)) return;
  left.delete(JUST);
  const query = left.size > 0 ? `?${left}` : "";
  window.history.replaceState(window.history.state, "", `${pathname}${query}${hash}`);
}
