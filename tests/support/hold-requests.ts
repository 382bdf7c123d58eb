/** What a page does while a script or an answer is on its way. */
import type { Page } from "@playwright/test";

interface HeldRequests {
  /** The addresses that the page has asked for, also after `send`. */
  asked: string[];
  /** Lets these requests go, and all later ones. */
  send: () => void;
}

/** Holds back this page's requests for an address until `send` is called. */
export async function holdRequests(page: Page, address: string | RegExp): Promise<HeldRequests> {
  const asked: string[] = [];
  const { promise: sent, resolve: send } = Promise.withResolvers<void>();
  await page.route(address, async (route) => {
    asked.push(route.request().url());
    await sent;
    // What a page asked for before it was reloaded is gone.
    await route.continue().catch(() => undefined);
  });
  return { asked, send };
}
