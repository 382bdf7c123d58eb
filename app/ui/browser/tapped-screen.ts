import { useEffect } from "react";
import { createPath, useNavigation } from "react-router";

const NAME = "tapped-screen";

/**
 * Opens the screen that was tapped after the router has reloaded the page. It does so where the script of the next screen can't be
 * loaded, as in a tab from before a release, and forgets where it was going.
 */
export function useTappedScreen(): void {
  const { state, location: next } = useNavigation();
  const tapped = state === "loading" ? createPath(next) : null;
  useEffect(() => {
    const [load] = performance.getEntriesByType("navigation");
    const noted = takeNote();
    // A document of its own: if its script is missing, too, nothing reloads again.
    if (noted !== null && load instanceof PerformanceNavigationTiming && load.type === "reload") location.assign(noted);
  }, []);
  useEffect(() => {
    if (tapped === null) return;
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
