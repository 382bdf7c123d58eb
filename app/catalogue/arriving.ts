import type { ShouldRevalidateFunctionArgs } from "react-router";
import type { FailedPage } from "./components/use-product-pages.ts";

/** A screen's data that is there, or on its way. */
export type Arriving<T> = T | FailedPage | { later: Promise<T | FailedPage> };

/**
 * Loads a list's data in the browser. On the way to a new screen the screen comes at once, and its data later. Going back waits
 * for the data, so that the place scrolled to is there again; so do filters, which keep what they filter in sight. A further page
 * of a list that fails does so in its place.
 */
export async function loadInStep<T>(request: Request, load: () => Promise<T>): Promise<Arriving<T>> {
  const url = new URL(request.url);
  if (url.searchParams.has("after")) return load().catch(failInPlace);
  // When going back, the address has changed already.
  if (url.pathname === window.location.pathname) return load();
  return { later: load().catch((): FailedPage => ({ failed: true })) };
}

/**
 * For a `catch`: a failure that is shown where the data was wanted, and not in the place of the whole screen.
 *
 * @throws what the router must see: a way to another screen.
 */
export function failInPlace(error: unknown): FailedPage {
  if (error instanceof Response) throw error;
  return { failed: true };
}

/** Whether a list is loaded anew: not when a cart or a wishlist changes. A search is a form, too, but changes nothing. */
export function reloadsList({ formMethod = "GET", defaultShouldRevalidate }: ShouldRevalidateFunctionArgs): boolean {
  return formMethod === "GET" && defaultShouldRevalidate;
}
