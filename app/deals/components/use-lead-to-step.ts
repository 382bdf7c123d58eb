import { useEffect, useRef } from "react";
import type { FetcherWithComponents } from "react-router";
import type { ActionResult } from "#app/ui/feedback/use-result-toast.ts";

/** The id of the panel with the next step of an item. */
export function stepPanelId(itemId: string): string {
  return `step-${itemId}`;
}

const FOCUS_BACK_MS = 100;

/**
 * After a form that was accepted: shows and focuses the next step, because what follows stands there. Whoever has begun
 * to fill in another field by then stays in it.
 */
export function useLeadToStep(
  itemId: string | undefined,
  { data: answer, state }: Pick<FetcherWithComponents<ActionResult>, "data" | "state">,
): void {
  const sentFrom = useRef<Element | null>(null);
  useEffect(() => {
    if (state === "submitting") sentFrom.current = document.activeElement;
  }, [state]);
  useEffect(() => {
    if (!answer?.ok) return;
    const own = itemId === undefined ? null : document.getElementById(stepPanelId(itemId));
    const panel = own ?? document.querySelector<HTMLElement>(".next-step");
    // A dialog that closes now gives the focus back to its button first. The form is often gone by then: nothing ends
    // the timer.
    window.setTimeout(() => {
      const now = document.activeElement;
      if (now !== sentFrom.current && now?.matches("input, textarea, select")) return;
      panel?.scrollIntoView({ block: "start" });
      panel?.focus({ preventScroll: true });
    }, FOCUS_BACK_MS);
    // Each answer leads once.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [answer]);
}
