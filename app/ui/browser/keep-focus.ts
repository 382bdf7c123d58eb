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
      // Nobody has pressed elsewhere if it isn't there any more.
      queueMicrotask(() => {
        if (last?.isConnected && document.activeElement !== last) last = null;
      }),
    { signal },
  );
  const observer = new MutationObserver((changes) => {
    if (!last || last.isConnected || document.activeElement !== document.body) return;
    const removal = changes.find(({ removedNodes }) => [...removedNodes].some((node) => node.contains(last)));
    if (!removal) return;
    const near = [removal.nextSibling, removal.previousSibling, removal.target];
    const place = near.find((node): node is HTMLElement => node instanceof HTMLElement && node.isConnected);
    last = null;
    if (!place || place === document.body) return;
    if (place.tabIndex < 0) place.tabIndex = -1;
    place.focus({ preventScroll: true });
  });
  observer.observe(document.body, { childList: true, subtree: true });
  signal.addEventListener("abort", () => observer.disconnect());
  return () => controller.abort();
}
