/**
 * Replaces Cloudflare's cron, which doesn't run locally: calls the app's scheduled handler every `everyMs`, one call at
 * a time.
 * @param onTrouble is called with one line when a run fails
 * @returns a function that stops it
 */
export function startClock(origin: string, everyMs: number, onTrouble: (line: string) => void): () => void {
  let running = false;
  async function tick(): Promise<void> {
    if (running) return;
    running = true;
    try {
      const response = await fetch(`${origin}/cdn-cgi/local/scheduled?cron=*+*+*+*+*`);
      const answer = await response.text();
      if (!response.ok) onTrouble(`The scheduled job failed: ${response.status} ${answer.slice(0, 200)}`);
    } catch {
      // The server is stopping or restarting. The next minute tries again.
    } finally {
      running = false;
    }
  }
  const timer = setInterval(() => void tick(), everyMs);
  return () => clearInterval(timer);
}
