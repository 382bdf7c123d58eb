import { sql } from "drizzle-orm";
import type { Notifier } from "#app/platform/live-events.ts";
import { commitBatch, expectOneChange, PreconditionFailed } from "#app/db/batch.ts";
import type { Store } from "#app/db/client.ts";
import { stateIs } from "#app/db/state-is.ts";
import { OFFER, type OfferState } from "#app/db/states/offer.ts";
import { findOffers, isBeingPaid, type Offer } from "./find-offer.server.ts";
import { offerEmails } from "./offer-emails.server.ts";

/** How many offers one run of the job handles. The next run is a minute later. */
const AT_ONCE = 50;

/**
 * Ends the offers whose time is up, and tells both sides of every offer that time or a database trigger has changed.
 * Returns how many offers it told them about. An accepted offer stays while its payment is under way. Two runs at once
 * and a stop at any point are safe.
 */
export async function advanceOffers(services: Store & { notifier: Notifier }): Promise<number> {
  const now = services.now();
  await services.db.run(
    sql`UPDATE offers SET state = ${"expired" satisfies OfferState}, notice_due = 1, updated_at = ${now} WHERE id IN (
      SELECT id FROM offers WHERE ${stateIs("state", OFFER.isActive)} AND expires_at <= ${now} AND NOT ${isBeingPaid(sql`offers.id`)}
      ORDER BY expires_at LIMIT ${AT_ONCE})`,
  );
  const changed = await findOffers(
    services,
    sql`f.id IN (SELECT id FROM offers WHERE notice_due = 1 ORDER BY updated_at LIMIT ${AT_ONCE})`,
  );
  for (const offer of changed) await tell(services, offer);
  return changed.length;
}

async function tell(services: Store & { notifier: Notifier }, offer: Offer): Promise<void> {
  const now = services.now();
  const { state } = offer;
  try {
    await commitBatch(services.db, [
      sql`UPDATE offers SET notice_due = 0 WHERE id = ${offer.id} AND notice_due = 1 AND state = ${state}`,
      expectOneChange(),
      ...(state === "expired" || state === "ended" ? offerEmails(offer, state, null, now) : []),
    ]);
  } catch (error) {
    // Another run was faster, or its state has changed again.
    if (error instanceof PreconditionFailed) return;
    throw error;
  }
  await Promise.all([offer.buyer, offer.seller].map(({ id }) => services.notifier.notify(id, { type: "offer" })));
}
