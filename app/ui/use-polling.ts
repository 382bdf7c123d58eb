import { useEffect } from "react";
import { useRevalidator } from "react-router";
import { isReachable } from "./reachable.ts";

/**
 * Loads the screen's data anew every `everyMs` while `active`: not while the tab is hidden, at once when it comes back. A lost
 * connection skips a round instead of replacing the screen by an error, so the connection is tried before the data is asked for.
 */
export function usePolling(everyMs: number, active: boolean): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (!active) return;
    let stopped = false;
    let busy = false;
    async function poll() {
      if (busy || document.visibilityState === "hidden") return;
      busy = true;
      if ((await isReachable()) && !stopped) await revalidate();
      busy = false;
    }
    const timer = setInterval(() => void poll(), everyMs);
    const onVisible = () => void poll();
    document.addEventListener("visibilitychange", onVisible);
    return () => {
      stopped = true;
      clearInterval(timer);
      document.removeEventListener("visibilitychange", onVisible);
    };
  }, [active, everyMs, revalidate]);
}
