import { sql } from "drizzle-orm";
import type { Store } from "./client.ts";

/**
 * Takes the named lease for `lifeMs`. False while another holds it. The lease of a holder that was cut off ends by itself.
 */
export async function takeLease(store: Store, name: string, lifeMs: number): Promise<boolean> {
  const now = store.now();
  const taken = await store.db.all(sql`INSERT INTO leases (name, until) VALUES (${name}, ${now + lifeMs})
    ON CONFLICT (name) DO UPDATE SET until = excluded.until WHERE leases.until <= ${now} RETURNING name`);
  return taken.length === 1;
}

/** Ends the lease early. */
export async function giveUpLease(store: Store, name: string): Promise<void> {
  await store.db.run(sql`UPDATE leases SET until = 0 WHERE name = ${name}`);
}
