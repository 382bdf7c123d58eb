import { sql } from "drizzle-orm";
import type { Store } from "./client.ts";

/**
 * Takes the named lease for `lifeMs`; false while another holds it. A holder that dies gives it up by itself when its time ends.
 */
export async function takeLease(store: Store, name: string, lifeMs: number): Promise<boolean> {
  const now = store.now();
  const taken = await store.db.all(sql`INSERT INTO leases (name, until) VALUES (${name}, ${now + lifeMs})
    ON CONFLICT (name) DO UPDATE SET until = excluded.until WHERE leases.until <= ${now} RETURNING name`);
  return taken.length === 1;
}

/** Gives the lease up before its time. */
export async function giveUpLease(store: Store, name: string): Promise<void> {
  await store.db.run(sql`UPDATE leases SET until = 0 WHERE name = ${name}`);
}
