import { useEffect } from "react";
import { createPath, type Location } from "react-router";

const NAME = "tapped-screen";
/** Later the page that was reloaded is in use, ms. */
const START_MS = 10_000;

/**
 * Opens the screen that was tapped after the router has reloaded the page. It does so where the script of the next
 * screen can't be loaded, as in a tab from before a release, and forgets where it was going.
 */
export function openTappedScreen(): void {
  const [load] = performance.getEntriesByType("navigation");
  const tapped = takeNote();
  const isReload = load instanceof PerformanceNavigationTiming && load.type === "reload";
  // A document of its own: if its script is missing, too, nothing reloads again.
  if (tapped !== null && isReload && performance.now() < START_MS) location.assign(tapped);
}

/** Notes the screen that was tapped, in case the page goes away before it comes. */
export function useTappedNote(next: Location): void {
  const tapped = createPath(next);
  useEffect(() => {
    // A page that the browser keeps for Back goes on where it was.
    const note = (event: PageTransitionEvent) => {
      if (!event.persisted) writeNote(tapped);
    };
    addEventListener("pagehide", note);
    return () => removeEventListener("pagehide", note);
  }, [tapped]);
}

function takeNote(): string | null {
  try {
    const note = sessionStorage.getItem(NAME);
    sessionStorage.removeItem(NAME);
    return note;
  } catch {
    return null;
  }
}

function writeNote(path: string): void {
  try {
    sessionStorage.setItem(NAME, path);
  } catch {
    // Without storage the page is as it was.
  }
}
