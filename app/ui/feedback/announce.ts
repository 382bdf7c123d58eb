import { useEffect } from "react";
import { useLocation } from "react-router";
import { createStore } from "#app/platform/store.ts";

/** What screen readers announce next. The region stays while screens come and go (arrival.tsx). */
export const announcement = createStore({ text: "", turn: 0 });

/** Announces a text, also one that was announced before. */
export function announce(text: string): void {
  announcement.set({ text, turn: announcement.get().turn + 1 });
}

/** Announces what a list shows now: when it has come, grown, or was searched or filtered anew. */
export function useAnnounced(text: string): void {
  const { search } = useLocation();
  // The same words are news of another search.
  // oxlint-disable-next-line react/exhaustive-effect-dependencies
  useEffect(() => announce(text), [search, text]);
}
