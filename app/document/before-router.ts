/*
 * What must be there before the router starts. Root imports it: the router starts once root's script has run.
 */
if (!import.meta.env.SSR) {
  // This listener to popstate runs just before the router's. The router must not handle a Back that closes a layer over the
  // page: use-back-to-close.ts cancels the "back" event then.
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

  // A view transition has no `ready` if the next screen takes four seconds, or if another transition begins. It ends, and
  // the screen shows without it. React Router starts them, and handles only `finished`, which an error of ours rejects, too.
  if ("startViewTransition" in document) {
    const { startViewTransition } = document;
    document.startViewTransition = (change) => {
      const transition = startViewTransition.call(document, change);
      transition.ready.catch(() => undefined);
      return transition;
    };
  }
}
