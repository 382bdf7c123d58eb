/** Logs one event as a JSON line. Callers never pass phone numbers, email addresses, tokens or secrets. */
export function log(event: { event: string; level?: "info" | "error" } & Record<string, unknown>): void {
  const line = { level: "info", at: new Date().toISOString(), ...event };
  if (line.level === "error") console.error(JSON.stringify(line));
  else console.log(JSON.stringify(line));
}
