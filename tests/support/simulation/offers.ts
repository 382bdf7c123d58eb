/** Offers in the simulation: buyers and sellers negotiate, change their minds and pay, while workers stop anywhere. */
import { sql } from "drizzle-orm";
import type { DealServices } from "#app/deals/deal-services.ts";
import type { MessagingServices } from "#app/messaging/sending/send-message.server.ts";
import { makeOffer } from "#app/offers/make-offer.server.ts";
import { OFFER_ACTORS, OFFER_STEPS, OFFER_TRANSITIONS } from "#app/offers/offer-rules.ts";
import { stepOffer } from "#app/offers/offer-steps.server.ts";
import { payOffer } from "#app/offers/pay-offer.server.ts";
import { requestOrderPayment } from "#app/payments/collect/request-payment.server.ts";
import type { OfferState } from "#app/db/states/offer.ts";
import { type Campus, invoke } from "./invocation.ts";

function messaging(services: DealServices): MessagingServices {
  return { ...services, defer: () => {}, origin: "https://chuoni.test" };
}

/** `share` of the buyers make an offer for something that is for sale, sometimes with two presses. */
export function makeOffers(campus: Campus, share: number): void {
  const { stage, buyers, away } = campus;
  const { chance } = stage;
  for (const { id: buyerId } of buyers) {
    if (!chance.happens(share)) continue;
    invoke(campus, "offer", async (services) => {
      const listings = await services.db.all<{ id: string; price: number }>(
        sql`SELECT id, price FROM products WHERE takes_offers = 1 AND status = 'active' AND price > 10 ORDER BY rowid`,
      );
      if (away.has(buyerId) || listings.length === 0) return;
      const { id: productId, price } = chance.pick(listings);
      const amount = Math.max(10, Math.floor((price * chance.between(5, 9)) / 10));
      const key = chance.uuid();
      const presses = chance.between(1, 2);
      for (let n = 1; n <= presses; n += 1)
        invoke(campus, `offer ${n}`, async (own) => {
          const made = await makeOffer(messaging(own), { buyerId, productId, amount, revision: 0, note: "", key });
          stage.note(`buyer: offer: ${made.ok ? "done" : made.code}`);
        });
    });
  }
}

/** Both sides of `share` of the offers press a button that they see, or one that they saw a moment ago. */
export function answerOffers(campus: Campus, share: number): void {
  const { stage, away } = campus;
  const { chance } = stage;
  invoke(campus, "offers", async (services) => {
    const offers = await services.db.all<{
      id: string;
      state: OfferState;
      buyerId: string;
      sellerId: string;
      amount: number;
      price: number;
    }>(
      sql`SELECT f.id, f.state, f.buyer_id AS buyerId, f.seller_id AS sellerId, f.amount, p.price FROM offers f
        JOIN products p ON p.id = f.product_id
        WHERE f.state IN ('open', 'countered', 'accepted') ORDER BY f.rowid`,
    );
    for (const offer of offers) {
      if (!chance.happens(share)) continue;
      const steps = OFFER_STEPS.filter((step) => OFFER_TRANSITIONS[offer.state][step]);
      // Buyers seldom withdraw what they could pay.
      if (offer.state === "accepted" && chance.happens(0.85)) {
        payFor(campus, offer);
        continue;
      }
      const presses = chance.between(1, 2);
      for (let n = 1; n <= presses; n += 1) {
        const step = chance.pick(steps);
        const by = OFFER_ACTORS[step] === "buyer" ? offer.buyerId : offer.sellerId;
        invoke(campus, `offer ${step}`, async (own) => {
          if (away.has(by)) return;
          const amount = Math.floor((offer.amount + offer.price) / 2);
          const taken = await stepOffer(messaging(own), { offerId: offer.id, by, step, amount });
          stage.note(`offer: ${step}: ${taken.ok ? "done" : taken.code}`);
        });
      }
    }
  });
}

/** The buyer of an accepted offer orders it and asks for the payment. */
function payFor(campus: Campus, { id: offerId, buyerId }: { id: string; buyerId: string }): void {
  const { stage, buyers, away } = campus;
  invoke(campus, "pay an offer", async (services) => {
    if (away.has(buyerId)) return;
    const placed = await payOffer(services, { offerId, buyerId });
    stage.note(`buyer: order an offer: ${placed.ok ? "done" : placed.code}`);
    if (!placed.ok) return;
    const phone = buyers.find(({ id }) => id === buyerId)?.phone ?? "";
    const asked = await requestOrderPayment(services, { orderId: placed.orderId, userId: buyerId, phone });
    stage.note(`buyer: pay an offer: ${asked.ok ? asked.kind : asked.code}`);
  });
}

/** Orders whose price isn't their offer's, and offers that were paid without an order, or by two. */
const INCONSISTENT = `SELECT f.id FROM offers f LEFT JOIN order_items i ON i.offer_id = f.id
  LEFT JOIN orders o ON o.id = i.order_id
  GROUP BY f.id HAVING SUM(i.price_per_unit <> COALESCE(f.counter_amount, f.amount) OR i.quantity <> 1
    OR o.user_id <> f.buyer_id) > 0
    OR COALESCE(SUM(o.payment_status = 'completed'), 0) <> (f.state = 'paid')`;

/** Offers that somebody still waits for, and whose payment isn't with our team. */
const ACTIVE = `SELECT f.id FROM offers f WHERE f.notice_due = 1 OR (f.state IN ('open', 'countered', 'accepted')
  AND NOT EXISTS (SELECT 1 FROM order_items i JOIN payment_attempts a ON a.order_id = i.order_id
    WHERE i.offer_id = f.id AND a.state = 'held'))`;

/**
 * At the end: offers were paid once, by their buyers, at their prices, and none waits for anybody. Returns what is
 * wrong.
 */
export async function auditOffers(d1: D1Database): Promise<string[]> {
  const [inconsistent, active] = await d1.batch<{ id: string }>([d1.prepare(INCONSISTENT), d1.prepare(ACTIVE)]);
  return [
    ...(inconsistent?.results ?? []).map(({ id }) => `offer ${id.slice(0, 8)} and its orders don't agree`),
    ...(active?.results ?? []).map(({ id }) => `offer ${id.slice(0, 8)} never ended`),
  ];
}
