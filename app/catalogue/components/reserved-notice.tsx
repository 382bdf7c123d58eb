import { useEffect, useState } from "react";
import { useRevalidator } from "react-router";
import { reservedText } from "#app/catalogue/stock-rules.ts";
import { reload } from "#app/ui/reload.ts";

interface ReservedNoticeProps {
  /** The product, where it isn't clear from the page. */
  name?: string | null;
  /** When the first reservation may end, ms since 1970; null when nobody knows. */
  freeAt: number | null;
  /** When the page's data was read, ms, on the same clock as `freeAt`. */
  readAt: number;
}

const SECOND = 1000;
/** How often to look again once the time is over, ms: the request may end a little later. */
const AGAIN_MS = 10 * SECOND;

/** "Somebody is paying for this right now. Try again in 4 min", counting down. Then the page looks again. */
export function ReservedNotice({ name = null, freeAt, readAt }: ReservedNoticeProps) {
  const left = useTimeLeft(freeAt === null ? null : freeAt - readAt);
  return <span>{reservedText(name, left)}</span>;
}

/** `left` (ms), less the time since the page's data arrived. The device's own clock may be wrong, so only its pace counts. */
function useTimeLeft(left: number | null): number | null {
  const { revalidate } = useRevalidator();
  const [gone, setGone] = useState(0);
  useEffect(() => {
    if (left === null) return;
    const start = performance.now();
    let lookAt = Math.max(left, 0) + SECOND;
    const timer = setInterval(() => {
      const elapsed = performance.now() - start;
      setGone(elapsed);
      if (elapsed < lookAt || document.visibilityState === "hidden") return;
      lookAt = elapsed + AGAIN_MS;
      void reload(revalidate);
    }, SECOND);
    return () => {
      clearInterval(timer);
      setGone(0);
    };
  }, [left, revalidate]);
  return left === null ? null : left - gone;
}
