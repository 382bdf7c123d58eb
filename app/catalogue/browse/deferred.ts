import type { ShouldRevalidateFunctionArgs } from "react-router";
import { isNotFound } from "#app/ui/feedback/is-not-found.ts";
import type { FailedPage } from "#app/ui/browser/failed-page.ts";

/** A screen's data: the value, or a promise of it. */
export type Deferred<T> = T | FailedPage | { later: Promise<T | FailedPage> };

interface Loading<T> {
  request: Request;
  serverLoader: () => Promise<T>;
}

/**
 * Loads a list's data in the browser. On the way to a new screen, the screen shows at once and the data follows. Going
 * back waits for the data, so that the scroll position can be restored. A change of filters also waits, so that the old
 * results stay in sight. If a further page of a list fails, only that page shows an error.
 */
export async function loadDeferred<T>({ request, serverLoader: load }: Loading<T>): Promise<Deferred<T>> {
  const url = new URL(request.url);
  if (url.searchParams.has("after")) return load().catch(failInPlace);
  // When going back, the address has changed already.
  if (url.pathname === window.location.pathname) return load();
  return {
    later: load().catch((error: unknown): FailedPage => {
      if (isNotFound(error)) throw error;
      return { failed: true };
    }),
  };
}

/**
 * For a `catch`: turns a failure into a value that is shown where the data was expected, and not instead of the whole
 * screen.
 * @throws redirects, which the router must handle, and that there is no such screen
 */
export function failInPlace(error: unknown): FailedPage {
  if (error instanceof Response || isNotFound(error)) throw error;
  return { failed: true };
}

/**
 * Whether to reload a list after an action: not when a cart or a wishlist changed. (A search is a form, too, but
 * changes nothing.)
 */
export function reloadsList({ formMethod = "GET", defaultShouldRevalidate }: ShouldRevalidateFunctionArgs): boolean {
  return formMethod === "GET" && defaultShouldRevalidate;
}
