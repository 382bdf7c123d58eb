/** What has just happened, in the address that follows it. The page shows it once, and takes it out of the address. */
const JUST = "just";
const ITEM = "item";

/** A listing is live; an item is sold; the handover code was right. */
export type Just = "listed" | "sold" | "code";

/** `itemId`: of what, where the page has several. */
export function withJust(path: string, what: Just, itemId?: string): string {
  return `${path}?${JUST}=${what}${itemId === undefined ? "" : `&${ITEM}=${itemId}`}`;
}

/** Whether a page is asked for to show this. */
export function isJust({ url }: Pick<Request, "url">, what: Just): boolean {
  return new URL(url).searchParams.get(JUST) === what;
}

/** Which item it is about; null where the address doesn't say. */
export function justItem({ url }: Pick<Request, "url">): string | null {
  return new URL(url).searchParams.get(ITEM);
}

/** Runs in the browser: going back or loading again finds the page without it. */
export function forgetJust(): void {
  const { pathname, search, hash } = window.location;
  const left = new URLSearchParams(search);
  if (!left.has(JUST)) return;
  left.delete(JUST);
  left.delete(ITEM);
  const query = left.toString();
  window.history.replaceState(window.history.state, "", `${pathname}${query === "" ? "" : `?${query}`}${hash}`);
}
