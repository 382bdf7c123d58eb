import { tellNotified } from "#app/notifications/notify.server.ts";
import type { Services } from "#app/request/services.ts";
import { checkListings } from "#app/upkeep/still-available.server.ts";

/** Asks sellers whether their listings are still available. */
export async function runUpkeepJob(services: Pick<Services, "db" | "now" | "log" | "notifier">): Promise<void> {
  const sellers = await checkListings(services);
  if (sellers.length === 0) return;
  await tellNotified(services, sellers);
  services.log({ event: "listings_checked", sellers: sellers.length });
}
