import type { Store } from "#app/db/client.ts";
import { advancePlans } from "#app/shops/subscriptions.server.ts";

interface PlanServices extends Store {
  log(event: { event: string } & Record<string, unknown>): void;
}

/** Every minute: ends plans whose time is over and reminds sellers of plans that end soon. */
export async function runPlansJob(services: PlanServices): Promise<void> {
  const report = await advancePlans(services);
  if (report.ended + report.reminded > 0) services.log({ event: "plans_advanced", ...report });
}
