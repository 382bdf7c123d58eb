/** Whether a page is ready to be looked at. Each function runs in the page, in any engine. */

/** What this device has shown before: the tour, and the terms of sellers. */
export const DONE_BEFORE = ["hasSeenToS", "chuoni_tutorial_completed"];

/** Whether it has loaded, and shows no screen that waits for its data or for the next one. */
export function isReady(): boolean {
  const isLoading = document.querySelector("[role=progressbar][aria-label=Loading], .pending-screen") !== null;
  return document.readyState === "complete" && document.fonts.status === "loaded" && !isLoading;
}

/** The status with which it came. */
export function readStatus(): number {
  const [loaded] = performance.getEntriesByType("navigation") as PerformanceResourceTiming[];
  return loaded?.responseStatus ?? 0;
}
