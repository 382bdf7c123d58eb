import { type ComponentType, useEffect, useState } from "react";
import { useNavigate } from "react-router";
import { checkTutorial, markActive } from "#app/tutorial/start.ts";
import { beginsHere, HOME, NEWCOMER_CHECK_MS, RESTART_RELOAD_MS, RESTART_TEXTS } from "#app/tutorial/start-rules.ts";
import { FLAG_TUTORIAL_RESTARTED } from "#app/ui/browser-flags.ts";
import { toast } from "#app/ui/toast.ts";

/** Fetches the guided tour, shortly after the page has loaded, if the tour is on. */
export function TutorialGate() {
  const [Tutorial, setTutorial] = useState<ComponentType>();
  const navigate = useNavigate();

  useEffect(() => {
    if (Tutorial) return;
    let gone = false;
    const timer = setTimeout(() => {
      const { active, begins } = checkTutorial();
      if (begins && !beginsHere(location.pathname)) void navigate(HOME);
      if (!active && !isDebugging()) return;
      import("./tutorial.tsx").then(
        (module) => !gone && setTutorial(() => module.Tutorial),
        // Without a connection the tour starts at the next page load.
        () => undefined,
      );
    }, NEWCOMER_CHECK_MS);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
    // Only when the bars of signed-in users appear, not on every screen.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, []);

  return Tutorial ? <Tutorial /> : null;
}

function isDebugging(): boolean {
  return new URLSearchParams(location.search).get("debug") === "true";
}

/** Returns a function that restarts the tour on the home page. */
export function useTutorialRestart(): () => void {
  const navigate = useNavigate();
  return () => {
    try {
      markActive();
      sessionStorage.setItem(FLAG_TUTORIAL_RESTARTED, String(performance.timeOrigin));
    } catch {
      toast.error(RESTART_TEXTS.failed);
      return;
    }
    toast.success(RESTART_TEXTS.done);
    void navigate(HOME);
    setTimeout(() => (location.pathname === HOME ? location.reload() : location.assign(HOME)), RESTART_RELOAD_MS);
  };
}
