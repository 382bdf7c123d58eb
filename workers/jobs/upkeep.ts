import type { Services } from "#app/request/services.ts";
import { checkListings } from "#app/upkeep/still-available.server.ts";

/** Asks sellers whether their listings are still available. */
export async function runUpkeepJob(services: Pick<Services, "db" | "now" | "log">): Promise<void> {
  const sellers = await checkListings(services);
  if (sellers.length > 0) services.log({ event: "listings_checked", sellers: sellers.length });
}
