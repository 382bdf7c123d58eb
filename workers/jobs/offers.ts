import type { Store } from "#app/db/client.ts";
import { advanceOffers } from "#app/offers/offer-timers.server.ts";
import type { Notifier } from "#app/platform/live-events.ts";

interface OfferServices extends Store {
  notifier: Notifier;
  log(event: { event: string } & Record<string, unknown>): void;
}

/** Every minute: ends offers whose time is up, and tells both sides what has changed. */
export async function runOffersJob(services: OfferServices): Promise<void> {
  const told = await advanceOffers(services);
  if (told > 0) services.log({ event: "offers_advanced", told });
}
