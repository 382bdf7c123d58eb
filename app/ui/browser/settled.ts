/** What the start of a page can wait for: it loads once the page has settled, or with the first toast. */
export { Toaster } from "#app/ui/feedback/toaster.tsx";

registerWorker();

/**
 * Stores the shell and the offline page on this device, once the page has loaded and is idle. Data saver stores nothing
 * ahead.
 */
function registerWorker(): void {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator) || document.documentElement.dataset.saver) return;
  const register = () =>
    setTimeout(
      () => void navigator.serviceWorker.register("/service-worker.js", { updateViaCache: "none" }).catch(() => {}),
      2_000,
    );
  if (document.readyState === "complete") register();
  else addEventListener("load", register, { once: true });
}
