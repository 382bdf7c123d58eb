/** Reads what the tour needs to know from the page. Tour targets are elements that carry `data-tour="…"`. */
import { MOBILE_BELOW_PX, type Scene } from "#app/tutorial/tutorial-rules.ts";
import type { Target } from "#app/tutorial/tour-rules.ts";

/**
 * The first visible element of the first target that has one. A target can exist twice: once for phones and once for
 * desktops.
 */
export function findTarget(targets: readonly Target[]): HTMLElement | null {
  for (const target of targets) {
    const found = [...document.querySelectorAll<HTMLElement>(`[data-tour~="${target}"]`)].find(isVisible);
    if (found) return found;
  }
  return null;
}

export function readScene(): Scene {
  const marked = [...document.querySelectorAll<HTMLElement>("[data-tour]")].filter(isVisible);
  const tab = findTarget(["shop-orders-tab"]);
  return {
    path: location.pathname,
    targets: new Set(marked.flatMap((element) => element.dataset.tour?.split(" ") ?? [])),
    ordersSelected: tab?.getAttribute("aria-current") === "page" || tab?.getAttribute("aria-selected") === "true",
  };
}

function isVisible(element: HTMLElement): boolean {
  return element.getClientRects().length > 0;
}

/** The topmost dialog on the page, not counting the tour's own card. */
export function topDialog(): HTMLElement | null {
  const dialogs = document.querySelectorAll<HTMLElement>("dialog[open]");
  return [...dialogs].at(-1) ?? null;
}

/** Calls back whenever a dialog may have opened or closed. Returns a function that stops it. */
export function watchDialogs(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange);
  observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ["open"] });
  return () => observer.disconnect();
}

/** Whether the next page, or part of this one, is still loading. */
export function isLoading(): boolean {
  return document.querySelector(".progress, main .skeleton, main [aria-busy='true']") !== null;
}

/** Whether to say "Tap" instead of "Click": on narrow screens and touch devices. */
export function isMobile(): boolean {
  return innerWidth < MOBILE_BELOW_PX || matchMedia("(pointer: coarse)").matches;
}

/** Whether somebody is filling in a field of the page. */
export function isInForm(): boolean {
  return document.querySelector("main :is(input, textarea, select):focus") !== null;
}
