/**
 * Whether somebody has just gone to the page that a request asks for, in the way that browsers tell it. An open page that
 * loads its data again names itself as the page that asks (Referer), whether a live event, the clock or a press made it do
 * so. A page loaded ahead doesn't count: opening it sends no request. What can't be told apart counts as no visit.
 */
export function isVisit({ url, headers }: Pick<Request, "url" | "headers">): boolean {
  if (headers.get("Sec-Purpose")?.includes("prefetch")) return false;
  const from = pathOf(headers.get("Referer"));
  // Some browsers tell only the site, and some tell nothing. A document is loaded by somebody, data perhaps not. (Through a
  // service worker, a document's Sec-Fetch-Dest is "empty" as well.)
  if (from === null || from === "/") return headers.get("Sec-Fetch-Mode") === "navigate";
  return from !== pathOf(url);
}

/** The page's path. A page's data has an address of its own, which some browsers name instead. */
function pathOf(address: string | null): string | null {
  return address !== null && URL.canParse(address) ? new URL(address).pathname.replace(/_?\.data$/, "") : null;
}
