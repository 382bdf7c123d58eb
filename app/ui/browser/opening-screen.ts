import { useLayoutEffect } from "react";

/** Resolves when no other screen is on its way. */
let arrival: Promise<void> = Promise.resolve();

/** For the root: notes that another screen is on its way. */
export function useOpeningScreen(isOpening: boolean): void {
  useLayoutEffect(() => {
    if (!isOpening) return;
    let arrive = () => {};
    arrival = new Promise((resolve) => (arrive = resolve));
    return arrive;
  }, [isOpening]);
}

/**
 * A client middleware of the root route. The answer to a change that comes while another screen is on its way waits for
 * that screen: the router then looks which data to load anew, and fails where it doesn't know the screen's route yet.
 */
export async function waitForScreen<T>({ request }: { request: Request }, next: () => Promise<T>): Promise<T> {
  const results = await next();
  if (request.method !== "GET") await arrival;
  return results;
}
