import { z } from "zod";

/**
 * The floor: a recent bookmark of the primary, in KV. Browsing reads no copy of the database that is older, so how far a
 * replica may be behind is bounded by us and not by D1.
 */
export interface ReadFloor {
  /** The bookmark; null when there is none that is young enough. Then only the primary may answer. */
  read(): Promise<string | null>;
  write(bookmark: string, at: number): Promise<void>;
}

/**
 * How old a floor may be, ms. It is written every minute, KV keeps what a data centre has read for another one, and a worker
 * for KEPT_MS. If the job stands still, browsing turns to the primary after this time. A floor from
 * so far in the future counts for nothing either: its machine's clock was wrong.
 */
export const FLOOR_AGE_MAX_MS = 3 * 60_000;

/** How long a worker keeps the floor that it has read, ms. It saves most reads of KV. */
const KEPT_MS = 20_000;

/** When KV forgets a floor that nobody raises, s. */
const LIFE_S = 10 * 60;

/** The names of sessions are hexadecimal, so none is like this. */
const KEY = "read-floor";

const valueSchema = z.object({ bookmark: z.string(), at: z.number() });
type Value = z.infer<typeof valueSchema>;

const kept = new WeakMap<KVNamespace, { value: Value | null; readAt: number }>();

export function openReadFloor(kv: KVNamespace, now: () => number): ReadFloor {
  async function find(): Promise<Value | null> {
    const known = kept.get(kv);
    if (known?.value && Math.abs(now() - known.readAt) < KEPT_MS) return known.value;
    const parsed = valueSchema.safeParse(await kv.get(KEY, "json"));
    const value = parsed.success ? parsed.data : null;
    kept.set(kv, { value, readAt: now() });
    return value;
  }
  return {
    async read() {
      try {
        const value = await find();
        return value && Math.abs(now() - value.at) < FLOOR_AGE_MAX_MS ? value.bookmark : null;
      } catch {
        // Without KV, nobody is logged in either. The primary can always answer.
        return null;
      }
    },
    async write(bookmark, at) {
      const value: Value = { bookmark, at };
      await kv.put(KEY, JSON.stringify(value), { expirationTtl: LIFE_S });
      kept.set(kv, { value, readAt: now() });
    },
  };
}
