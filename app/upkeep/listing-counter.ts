import { isbot } from "isbot";
import { isVisit } from "#app/platform/visit-rules.ts";

/**
 * Counts what happens to listings, without a row for each event. A count that is lost does no harm, so it never fails.
 */
export interface ListingCounter {
  /** Somebody else than its seller has opened its page. `listing`: its id, or the short id of its public page. */
  view(listing: string): Promise<void>;
  /** Somebody has written about it. What its seller writes doesn't count. */
  message(listing: string, senderId: string): Promise<void>;
}

/** Whether a person has just opened the page: no bot, no prefetch, and no page that loads itself again. */
export function isView(request: Pick<Request, "url" | "headers">): boolean {
  const browser = request.headers.get("User-Agent");
  return browser !== null && !isbot(browser) && isVisit(request);
}
