import { hasReloadFailed } from "./shown-screen.ts";

/** How often a reload is tried, and the pause between attempts, in ms (docs/product-rules.md, "Toasts and times"). */
const TRIES = 3;
const PAUSE_MS = 1000;
/** A server that doesn't answer for longer is asked once in so many pauses. */
const LATER_EVERY = 5;

/**
 * Reloads the screen's data, and retries until a good answer comes. Returns whether one came. The screen stays in any
 * case.
 */
export async function reload(revalidate: () => Promise<void>): Promise<boolean> {
  for (let attempt = 1; ; attempt += 1) {
    await revalidate();
    if (!hasReloadFailed()) return true;
    if (attempt === TRIES) return false;
    await pause(PAUSE_MS);
  }
}

/**
 * Reloads the screen's data if its last load failed, until a load succeeds, while `isShown`: while the screen shows a
 * change that the server has made and its data doesn't have. Without the change the screen would show the old state.
 */
export async function reloadIfFailed(revalidate: () => Promise<void>, isShown: () => boolean): Promise<void> {
  for (let pauses = 0; hasReloadFailed() && isShown(); pauses += 1) {
    if (pauses < TRIES || pauses % LATER_EVERY === 0) await revalidate();
    if (hasReloadFailed()) await pause(PAUSE_MS);
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}
