import { useEffect } from "react";
import { useRevalidator } from "react-router";
import { reload } from "./reload.ts";

/**
 * Loads the screen's data anew every `everyMs` while `active`: not while the tab is hidden, at once when it comes back. A round
 * that fails leaves the screen as it is, and the next one comes all the same.
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
