import { HOUR_MS } from "#app/platform/duration-rules.ts";

/** How long ago, in the unit that fits: "3 days". */
export function ageText(ms: number): string {
  const hours = Math.floor(ms / HOUR_MS);
  if (hours < 1) return many(Math.max(1, Math.floor(ms / 60_000)), "minute");
  return hours < 48 ? many(hours, "hour") : many(Math.floor(hours / 24), "day");
}

function many(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
