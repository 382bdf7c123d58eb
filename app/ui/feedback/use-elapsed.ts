import { useEffect, useState } from "react";

/**
 * The time since the page's data arrived, in ms, updated every `tickMs`. It starts again with each new `readAt`, the
 * server's time of the data. The device's own clock may be wrong, so only its pace counts.
 */
export function useElapsed(readAt: number, tickMs: number): number {
  const [counted, setCounted] = useState({ readAt, elapsed: 0 });
  useEffect(() => {
    const start = performance.now();
    const timer = setInterval(() => setCounted({ readAt, elapsed: performance.now() - start }), tickMs);
    return () => clearInterval(timer);
  }, [readAt, tickMs]);
  return counted.readAt === readAt ? counted.elapsed : 0;
}
