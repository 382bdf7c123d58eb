/**
 * Runs something in a task of its own. Requesting a script takes a phone some milliseconds for each of its files, and a
 * press waits for the end of the running task. Returns a function that cancels it.
 */
export function inOwnTask(run: () => void): () => void {
  const timer = setTimeout(run);
  return () => clearTimeout(timer);
}
