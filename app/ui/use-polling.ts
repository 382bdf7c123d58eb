import { useEffect } from "react";
import { useRevalidator } from "react-router";
import { reload } from "./reload.ts";

/**
 * Reloads the screen's data every `everyMs` while `active`: not while the tab is hidden, and at once when it returns. A
 * failed attempt leaves the screen as it is, and the next one follows.
 */
export function usePolling(everyMs: number, active: boolean): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (!active) return;
    let busy = false;
    async function poll() {
      if (busy || document.visibilityState === "hidden") return;
      busy = true;
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
  }, [active, everyMs, revalidate]);
}
