import { useEffect, useRef } from "react";
import { useRevalidator } from "react-router";
import { reservedText } from "#app/catalogue/stock/stock-rules.ts";
import { reload } from "#app/ui/browser/reload.ts";
import { useElapsed } from "#app/ui/feedback/use-elapsed.ts";

interface ReservedNoticeProps {
  /** The product, where it isn't clear from the page. */
  name?: string | null;
  /** When the first reservation may end, ms since 1970; null when nobody knows. */
  reservedUntil: number | null;
  /** When the page's data was read, ms, on the same clock as `reservedUntil`. */
  readAt: number;
}

const SECOND = 1000;
/** How long to wait between two reloads once the time is up, ms: the payment may end a little later. */
const AGAIN_MS = 10 * SECOND;

/** "Somebody is paying for this right now. Try again in 4 min", counting down. Then it reloads the page's data. */
export function ReservedNotice({ name = null, reservedUntil, readAt }: ReservedNoticeProps) {
  const elapsed = useElapsed(readAt, SECOND);
  const left = reservedUntil === null ? null : reservedUntil - readAt - elapsed;
  useReloadAfter(left);
  return <span>{reservedText(name, left)}</span>;
}

/** Reloads the page's data a second after the time (`left`, ms) is up, and every `AGAIN_MS` from then on. */
function useReloadAfter(left: number | null): void {
  const { revalidate } = useRevalidator();
  const reloadAt = useRef(-SECOND);
  useEffect(() => {
    if (left === null) return;
    if (left > 0) reloadAt.current = -SECOND;
    if (left > reloadAt.current || document.visibilityState === "hidden") return;
    reloadAt.current = left - AGAIN_MS;
    void reload(revalidate);
  }, [left, revalidate]);
}
