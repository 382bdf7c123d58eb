/** Tries before a round is given up, and the pause between them, ms (design: network failures of the client's polling). */
const TRIES = 3;
const PAUSE_MS = 1000;

/** Whether the server answers just now: a screen whose data is asked for without it would be replaced by an error. */
export async function isReachable(): Promise<boolean> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await fetch("/favicon.svg", { method: "HEAD", cache: "no-store" });
      return true;
    } catch {
      if (attempt === TRIES) return false;
      await new Promise((done) => setTimeout(done, PAUSE_MS));
    }
  }
}
