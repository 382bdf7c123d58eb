import { sql } from "drizzle-orm";
import type { Services } from "#app/services.ts";
import { runPaymentsJob } from "./payments.ts";

/** How long a run may hold its turn, ms; a run that was cut off gives it up by itself. */
const LEASE_MS = 55_000;

/** What the cron trigger starts. One run at a time: cron may fire twice, and every job is safe to cut off anywhere. */
export async function runSchedule(services: Services): Promise<void> {
  const now = services.now();
  const turn = await services.db.all(sql`INSERT INTO leases (name, until) VALUES ('schedule', ${now + LEASE_MS})
    ON CONFLICT (name) DO UPDATE SET until = excluded.until WHERE leases.until <= ${now} RETURNING name`);
  if (turn.length === 0) return;
  try {
    await runPaymentsJob(services);
    services.drainOutbox();
  } finally {
    await services.db.run(sql`UPDATE leases SET until = 0 WHERE name = 'schedule' AND until = ${now + LEASE_MS}`);
  }
}
