import { type ComponentType, useEffect, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { readStartFlags } from "#app/tutorial/start-flags.ts";
import { HOME, isActive, NEWCOMER_CHECK_MS } from "#app/tutorial/start-rules.ts";
import { sayPartMissing } from "#app/ui/feedback/part-missing.tsx";

/** Fetches the guided tour, shortly after the page has loaded, if the tour is on. */
export function TutorialGate() {
  const [Tutorial, setTutorial] = useState<ComponentType>();
  const navigate = useNavigate();
  const atHome = useLocation().pathname === HOME;

  useEffect(() => {
    if (Tutorial) return;
    let gone = false;
    const timer = setTimeout(() => {
      if (!isWanted()) return;
      import("./tutorial.tsx")
        .then(({ Tutorial: Tour, beginTutorial }) => {
          if (gone) return;
          beginTutorial(navigate);
          setTutorial(() => Tour);
        })
        // Without a connection the tour starts at the next page load.
        .catch(() => undefined);
    }, NEWCOMER_CHECK_MS);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
    // Only when the bars of members appear, and at Home, for which the tour may wait; not on every screen.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [atHome]);

  return Tutorial ? <Tutorial /> : null;
}

function isWanted(): boolean {
  if (new URLSearchParams(location.search).get("debug") === "true") return true;
  try {
    return isActive(readStartFlags(), location.pathname);
  } catch (error) {
    console.warn("Error checking tutorial status", error);
    return false;
  }
}

/** Returns a function that restarts the tour on the home page. */
export function useTutorialRestart(): () => void {
  const navigate = useNavigate();
  return () =>
    void import("#app/tutorial/start.ts")
      .then(({ restartTutorial }) => restartTutorial(navigate))
      .catch(() => sayPartMissing("Failed to restart tutorial"));
}
