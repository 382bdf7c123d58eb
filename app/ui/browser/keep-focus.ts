/** The place that got the focus last because what had it was removed. */
let given: Element | null = null;

/** Whether an element has the focus only because what was pressed is gone. */
export function hasGivenFocus(element: Element): boolean {
  return element === given;
}

/**
 * Where what has the focus is removed, such as the row of a thing that was deleted, moves the focus to what follows it
 * there, or came before it. Browsers move it to the beginning of the page, and some forget the place as well. Returns
 * a function that stops it.
 */
export function keepFocus(): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  let last: Node | null = null;
  addEventListener("focusin", ({ target }) => (last = target as Node), { signal });
  addEventListener(
    "focusout",
    () =>
      queueMicrotask(() => {
        // Somebody has pressed elsewhere. What was removed isn't connected.
        if (last?.isConnected && document.activeElement !== last) last = null;
      }),
    { signal },
  );
  const observer = new MutationObserver((changes) => {
    if (!last || last.isConnected || document.activeElement !== document.body) return;
    const removal = changes.find(({ removedNodes }) => [...removedNodes].some((node) => node.contains(last)));
    if (!removal) return;
    last = null;
    for (const place of [removal.nextSibling, removal.previousSibling, removal.target]) {
      if (!(place instanceof HTMLElement) || place === document.body || place.matches("[role=status]")) continue;
      if (place.tabIndex < 0) place.tabIndex = -1;
      // What isn't shown doesn't take it.
      place.focus({ preventScroll: true });
      if (document.activeElement !== place) continue;
      given = place;
      return;
    }
  });
  observer.observe(document.body, { childList: true, subtree: true });
  signal.addEventListener("abort", () => observer.disconnect());
  return () => controller.abort();
}
