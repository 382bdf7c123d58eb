/** Services that count what their queries cost. */
import { env } from "cloudflare:workers";
import { type Meter, newMeter } from "#app/db/meter.ts";
import type { Services } from "#app/request/services.ts";
import { createServices } from "#workers/services.ts";

export function meteredServices(): Services & { meter: Meter } {
  const meter = newMeter();
  return { ...createServices(env, { waitUntil: () => {}, requestId: "test", meter }), meter };
}

export interface Measured<T> {
  result: T;
  rows: number;
  trips: number;
}

/** Runs `work`, and returns the rows read and the round trips that it took. */
export async function measured<T>(meter: Meter, work: () => Promise<T>): Promise<Measured<T>> {
  const before = { ...meter };
  const result = await work();
  return { result, rows: meter.rowsRead - before.rowsRead, trips: meter.trips - before.trips };
}
