import { hasReloadFailed } from "./shown-screen.ts";

/** Tries before a round is given up, and the pause between them, ms (design: network failures of the client's polling). */
const TRIES = 3;
const PAUSE_MS = 1000;

/** Loads the screen's data anew, and tries again where no good answer comes; answers whether one came. The screen stands either way. */
export async function reload(revalidate: () => Promise<void>): Promise<boolean> {
  for (let attempt = 1; ; attempt += 1) {
    await revalidate();
    if (!hasReloadFailed()) return true;
    if (attempt === TRIES) return false;
    await new Promise((done) => setTimeout(done, PAUSE_MS));
  }
}
