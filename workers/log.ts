import type { Meter } from "#app/db/meter.ts";

/** Logs one event as a JSON line. Callers never pass phone numbers, email addresses, tokens or secrets. */
export function log(event: { event: string; level?: "info" | "error" } & Record<string, unknown>): void {
  const line = { level: "info", at: new Date().toISOString(), ...event };
  if (line.level === "error") console.error(JSON.stringify(line));
  else console.log(JSON.stringify(line));
}

/** What a request or a job has used, as `logUse` logs it. */
export interface Use {
  requestId: string;
  /** The method, or "CRON". */
  method: string;
  path: string;
  meter: Meter;
}

/**
 * Logs what a request or a job has used after its deferred work has ended. The request's own line is logged with the
 * answer and lacks that. Only the benchmark reads it, so only the local environment logs it.
 */
export async function logUse(deferred: readonly Promise<unknown>[], use: Use): Promise<void> {
  // Deferred work may defer more.
  for (let known = -1; known < deferred.length;) {
    known = deferred.length;
    await Promise.allSettled(deferred);
  }
  log({ event: "use", ...use });
}
