import { type ComponentType, useEffect, useState } from "react";
import { useNavigate } from "react-router";
import { checkTutorial, markActive } from "#app/tutorial/start.ts";
import { beginsHere, HOME, NEWCOMER_CHECK_MS, RESTART_RELOAD_MS, RESTART_TEXTS } from "#app/tutorial/start-rules.ts";
import { toast } from "#app/ui/toast.ts";

/** Looks, a moment after the page has loaded, whether the guided tour is on, and fetches it only then. */
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
        // Without a connection the tour waits for the next page load.
        () => undefined,
      );
    }, NEWCOMER_CHECK_MS);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
    // Once for each arrival among the members' screens.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, []);

  return Tutorial ? <Tutorial /> : null;
}

function isDebugging(): boolean {
  return new URLSearchParams(location.search).get("debug") === "true";
}

/** The top bar's tutorial restart (accounts spec §4). */
export function useTutorialRestart(): () => void {
  const navigate = useNavigate();
  return () => {
    try {
      markActive();
    } catch {
      toast.error(RESTART_TEXTS.failed);
      return;
    }
    toast.success(RESTART_TEXTS.done);
    void navigate(HOME);
    setTimeout(() => (location.pathname === HOME ? location.reload() : location.assign(HOME)), RESTART_RELOAD_MS);
  };
}
