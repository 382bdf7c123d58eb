import { hasReloadFailed } from "./shown-screen.ts";

/** How often a reload is tried, and the pause between attempts, in ms (docs/product-rules.md, "Toasts and times"). */
const TRIES = 3;
const PAUSE_MS = 1000;

/**
 * Reloads the screen's data, and retries until a good answer comes. Returns whether one came. The screen stays in any
 * case.
 */
export async function reload(revalidate: () => Promise<void>): Promise<boolean> {
  for (let attempt = 1; ; attempt += 1) {
    await revalidate();
    if (!hasReloadFailed()) return true;
    if (attempt === TRIES) return false;
    await new Promise((done) => setTimeout(done, PAUSE_MS));
  }
}

/**
 * Reloads the screen's data if its last load failed. After an answer: the screen would otherwise show as undone what the server
 * has done.
 */
export async function reloadIfFailed(revalidate: () => Promise<void>): Promise<void> {
  if (hasReloadFailed()) await reload(revalidate);
}
