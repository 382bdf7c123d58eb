/** The page as the tour sees it: elements that carry `data-tour="…"`. */
import { MOBILE_BELOW_PX, type Scene } from "#app/tutorial/rules.ts";
import type { Target } from "#app/tutorial/tour-rules.ts";

/** The first element that can be seen of the first target that can. The same place may be drawn twice, for phones and for desktops. */
export function findTarget(targets: readonly Target[]): HTMLElement | null {
  for (const target of targets) {
    const found = [...document.querySelectorAll<HTMLElement>(`[data-tour~="${target}"]`)].find(isVisible);
    if (found) return found;
  }
  return null;
}

export function lookAround(): Scene {
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

/** The window that stands over the page, if any, the tour's own card aside. */
export function topWindow(): HTMLElement | null {
  const windows = document.querySelectorAll<HTMLElement>("[role$='dialog'][data-state='open'], dialog[open]");
  return [...windows].at(-1) ?? null;
}

/** Calls back whenever a window may have opened or closed. Returns the undoing. */
export function watchWindows(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange);
  observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ["data-state", "open"] });
  return () => observer.disconnect();
}

/** Whether the next page, or part of this one, is still on its way. */
export function isArriving(): boolean {
  return document.querySelector(".progress, main .skeleton, main [aria-busy='true']") !== null;
}

/** Whether people tap here (accounts spec §9: narrow, or a touch device). */
export function isMobile(): boolean {
  return innerWidth < MOBILE_BELOW_PX || matchMedia("(pointer: coarse)").matches;
}
