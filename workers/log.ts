/** One JSON line a happening. Callers never put phone numbers, e-mail addresses, tokens or secrets into it. */
export function log(event: { event: string; level?: "info" | "error" } & Record<string, unknown>): void {
  const line = { level: "info", at: new Date().toISOString(), ...event };
  if (line.level === "error") console.error(JSON.stringify(line));
  else console.log(JSON.stringify(line));
}
