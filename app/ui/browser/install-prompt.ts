/**
 * The browser's own question whether to install the app. Root imports this, because browsers ask once, soon after
 * loading.
 */
import { createStore } from "#app/platform/store.ts";

/** What Chromium fires. No standard has it, so TypeScript doesn't either. */
export interface InstallPrompt extends Event {
  prompt(): Promise<unknown>;
}

/** Kept for a good moment (install-offer.tsx). Null where the app is installed, or the browser can't. */
export const installPrompt = createStore<InstallPrompt | null>(null);

if (!import.meta.env.SSR) {
  addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault();
    installPrompt.set(event as InstallPrompt);
  });
}
