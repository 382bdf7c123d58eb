import type { Meter } from "#app/db/meter.ts";
import type { Env } from "./env.ts";

type Counters = Readonly<Record<string, readonly (keyof Meter)[]>>;

const BUCKET: Counters = { get: ["r2Reads"], head: ["r2Reads"], put: ["r2Writes"], list: ["r2Writes"] };

/** What each call of a binding's method uses. Each hub that is looked up gets one request. */
const COUNTERS = {
  SESSIONS: { get: ["kvReads"], put: ["kvWrites"], delete: ["kvWrites"], list: ["kvWrites"] },
  MEDIA: BUCKET,
  DOCUMENTS: BUCKET,
  USER_HUB: { getByName: ["hubRequests"] },
  LISTING_COUNTER: { getByName: ["hubRequests"] },
} as const satisfies Partial<Record<keyof Env, Counters>>;

/** The same bindings, whose calls `meter` counts. `meterDatabase` counts those of the database. */
export function meterBindings(env: Env, meter: Meter): Env {
  const names = Object.keys(COUNTERS) as (keyof typeof COUNTERS)[];
  return { ...env, ...Object.fromEntries(names.map((name) => [name, counted(env[name], COUNTERS[name], meter)])) };
}

function counted<Binding extends object>(binding: Binding, counters: Counters, meter: Meter): Binding {
  return new Proxy(binding, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      return (...values: unknown[]) => {
        for (const counter of counters[String(name)] ?? []) meter[counter] += 1;
        // Bindings refuse to be called as methods of anything else.
        return Reflect.apply(value, target, values) as unknown;
      };
    },
  });
}
