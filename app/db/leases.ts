import { eq, lte } from "drizzle-orm";
import type { Store } from "./client.ts";
import { leases } from "./tables.server.ts";
import { write } from "./batch.ts";
import { build } from "./build.ts";

/**
 * Takes the named lease for `lifeMs`. False while another holds it. The lease of a holder that was cut off ends by
 * itself.
 */
export async function takeLease(store: Store, name: string, lifeMs: number): Promise<boolean> {
  const now = store.now();
  const until = now + lifeMs;
  const { taken } = await write(store.db, {
    taken: build
      .insert(leases)
      .values({ name, until })
      .onConflictDoUpdate({ target: leases.name, set: { until }, setWhere: lte(leases.until, now) })
      .returning({ name: leases.name }),
  });
  return taken.length === 1;
}

/** Ends the lease early. */
export async function giveUpLease(store: Store, name: string): Promise<void> {
  await write(store.db, [build.update(leases).set({ until: 0 }).where(eq(leases.name, name))]);
}
