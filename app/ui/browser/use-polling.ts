import { useEffect } from "react";
import { useRevalidator } from "react-router";
import { reload } from "./reload.ts";
import { useWhenIdle } from "./use-when-idle.ts";

/**
 * Reloads the screen's data every `everyMs` while `active`: not while the tab is hidden, and at once when it returns. A
 * failed attempt leaves the screen as it is, and the next one follows. A form that is being sent has its answer first.
 */
export function usePolling(everyMs: number, active: boolean): void {
  const { revalidate } = useRevalidator();
  const whenIdle = useWhenIdle();
  useEffect(() => {
    if (!active) return;
    let busy = false;
    async function poll() {
      if (busy || document.visibilityState === "hidden") return;
      busy = true;
      await whenIdle();
      await reload(revalidate);
      busy = false;
    }
    const timer = setInterval(() => void poll(), everyMs);
    const onVisible = () => void poll();
    document.addEventListener("visibilitychange", onVisible);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", onVisible);
    };
  }, [active, everyMs, revalidate, whenIdle]);
}
