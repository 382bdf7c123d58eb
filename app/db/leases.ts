import { and, eq, lte } from "drizzle-orm";
import type { Store } from "./client.ts";
import { leases } from "./tables.server.ts";
import { write } from "./batch.ts";
import { build } from "./build.ts";

/**
 * Takes the named lease for `lifeMs`, and returns when it ends (ms since 1970); null while another holds it. The lease
 * of a holder that was cut off ends by itself.
 */
export async function takeLease(store: Store, name: string, lifeMs: number): Promise<number | null> {
  const now = store.now();
  const until = now + lifeMs;
  const { taken } = await write(store.db, {
    taken: build
      .insert(leases)
      .values({ name, until })
      .onConflictDoUpdate({ target: leases.name, set: { until }, setWhere: lte(leases.until, now) })
      .returning({ name: leases.name }),
  });
  return taken.length === 1 ? until : null;
}

/** Ends early the lease that lasts until `until`. If it ended before and another has it now, theirs stays. */
export async function giveUpLease(store: Store, name: string, until: number): Promise<void> {
  const own = and(eq(leases.name, name), eq(leases.until, until));
  await write(store.db, [build.update(leases).set({ until: 0 }).where(own)]);
}
