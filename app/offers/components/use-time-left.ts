import { useEffect, useState } from "react";

/** How often a countdown is updated, in ms. It shows minutes. */
const TICK_MS = 10_000;

/**
 * The time until `until`, in ms; never below 0. The first render counts from `now`, when the server made the page, and
 * later ones use the browser's clock. Both in ms since 1970.
 */
export function useTimeLeft(until: number, now: number): number {
  const [at, setAt] = useState(now);
  useEffect(() => {
    const tick = () => setAt(Date.now());
    tick();
    const timer = setInterval(tick, TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return Math.max(0, until - at);
}
