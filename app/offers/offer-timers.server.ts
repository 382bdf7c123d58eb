import { and, eq, inArray, lte, not, sql } from "drizzle-orm";
import type { Notifier } from "#app/live/live-events.ts";
import { afterReservationsChanged } from "#app/catalogue/stock/stock-effects.server.ts";
import { expectOneChange, tryWrite, write } from "#app/db/batch.ts";
import { build } from "#app/db/build.ts";
import type { Logging, Store } from "#app/db/client.ts";
import { oneByOne } from "#app/db/one-by-one.ts";
import { offers } from "#app/catalogue/tables.server.ts";
import { stateIs } from "#app/db/state-is.ts";
import { OFFER } from "#app/db/states/offer.ts";
import { findOffers, isBeingPaid, type Offer } from "./find-offer.server.ts";
import { tellOffer } from "./tell-offer.server.ts";

/** How many offers one run of the job handles. The next run is a minute later. */
const AT_ONCE = 50;

type TimerServices = Store & Logging & { notifier: Notifier };

/**
 * Ends the offers whose time is up, and tells both sides of every offer that time, its listing or its people have
 * ended. Returns how many offers it told them about. An accepted offer stays while its payment is under way. Two runs
 * at once and a stop at any point are safe, and one failure doesn't stop the others.
 */
export async function advanceOffers(services: TimerServices): Promise<number> {
  const now = services.now();
  const { id, state, expiresAt, noticeDue, updatedAt } = offers;
  const over = build
    .select({ id })
    .from(offers)
    .where(and(stateIs(state, OFFER.isActive), lte(expiresAt, now), not(isBeingPaid(id))))
    .orderBy(expiresAt)
    .limit(AT_ONCE);
  const expired = and(eq(state, "expired"), eq(noticeDue, true), eq(updatedAt, now));
  await write(services.db, [
    build.update(offers).set({ state: "expired", noticeDue: true, updatedAt: now }).where(inArray(id, over)),
    ...afterReservationsChanged(build.select({ id: offers.productId }).from(offers).where(expired), now),
  ]);
  // The index is of the rows with notice_due = 1, which a bound value doesn't repeat.
  const isDue = sql`${noticeDue} = 1`;
  const due = build.select({ id }).from(offers).where(isDue).orderBy(updatedAt).limit(AT_ONCE);
  const changed = await findOffers(services, inArray(id, due));
  const told = await oneByOne(
    changed,
    (offer) => tell(services, offer),
    ({ id: offerId }, error) =>
      services.log({ event: "offer_telling_failed", level: "error", offerId, error: String(error) }),
  );
  return told.filter(Boolean).length;
}

/** Whether this run told them. */
async function tell(services: TimerServices, offer: Offer): Promise<boolean> {
  const now = services.now();
  const { state } = offer;
  const isDone = await tryWrite(services.db, [
    build
      .update(offers)
      .set({ noticeDue: false })
      .where(and(eq(offers.id, offer.id), eq(offers.noticeDue, true), eq(offers.state, state))),
    expectOneChange(),
    ...(state === "expired" || state === "ended" ? tellOffer(offer, state, null, now) : []),
  ]);
  // Another run was faster, or its state has changed again.
  if (!isDone) return false;
  await Promise.all([offer.buyer, offer.seller].map(({ id }) => services.notifier.send(id, { type: "offer" })));
  return true;
}
