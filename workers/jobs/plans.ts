import type { Logging, Store } from "#app/db/client.ts";
import { advancePlans } from "#app/shops/subscriptions.server.ts";

/** Every minute: ends plans whose time is over and reminds sellers of plans that end soon. */
export async function runPlansJob(services: Store & Logging): Promise<void> {
  const report = await advancePlans(services);
  if (report.ended + report.reminded > 0) services.log({ event: "plans_advanced", ...report });
}
