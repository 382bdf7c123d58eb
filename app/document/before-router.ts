/*
 * Listeners that must be there before the router starts. Root imports them: the router starts once root's script has run.
 */
if (!import.meta.env.SSR) {
  // Of all listeners to popstate the router's comes next. It does not hear of a Back that closes a layer over the page:
  // use-back-to-close.ts cancels the "back" event then.
  addEventListener("popstate", (event) => {
    const back = new CustomEvent("back", { detail: event.state, cancelable: true });
    if (!document.dispatchEvent(back)) event.stopImmediatePropagation();
  });

  // React Router leaves two kinds of rejected promises unhandled for a moment, and neither is an error. Its stream decoder
  // rejects one if somebody navigates while the end of a page's data is still loading. When a screen is loaded again, it
  // waits for the screen's styles before it looks at an answer that is a redirect or an error; both have a status.
  addEventListener("unhandledrejection", (event: PromiseRejectionEvent) => {
    const reason = Object(event.reason) as object;
    if (("name" in reason && reason.name === "AbortError") || "status" in reason) event.preventDefault();
  });
}
