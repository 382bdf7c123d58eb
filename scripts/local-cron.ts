/**
 * Replaces Cloudflare's cron, which doesn't run locally: calls the app's scheduled handler at once and then every
 * `everyMs`, one call at a time.
 * @param onFailure is called with one line when a run fails
 * @returns a function that stops it
 */
export function startLocalCron(origin: string, everyMs: number, onFailure: (line: string) => void): () => void {
  let running = false;
  async function tick(): Promise<void> {
    if (running) return;
    running = true;
    try {
      const response = await fetch(`${origin}/cdn-cgi/local/scheduled?cron=*+*+*+*+*`);
      const answer = await response.text();
      if (!response.ok) onFailure(`The scheduled job failed: ${response.status} ${answer.slice(0, 200)}`);
    } catch {
      // The server is stopping or restarting. The next call tries again.
    } finally {
      running = false;
    }
  }
  void tick();
  const timer = setInterval(() => void tick(), everyMs);
  return () => clearInterval(timer);
}
