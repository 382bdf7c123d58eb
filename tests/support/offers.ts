/** Offers for tests: listings that take them, and offers in any state. */
import { eq } from "drizzle-orm";
import { offers, products } from "#app/catalogue/tables.server.ts";
import { makeOffer } from "#app/offers/make-offer.server.ts";
import { type StepInput, stepOffer } from "#app/offers/offer-steps.server.ts";
import { payOffer } from "#app/offers/pay-offer.server.ts";
import { requestOrderPayment } from "#app/payments/collect/request-payment.server.ts";
import { db, makeProduct, makeUser, quietServices, servicesAt, uniquePhone } from "./fixtures.ts";

export interface OfferListing {
  sellerId: string;
  productId: string;
}

/** A used product of which there is one, and its seller. */
export async function listForOffers(
  change: { price?: number; lowestOffer?: number | null; stock?: number | null } = {},
): Promise<OfferListing> {
  const sellerId = await makeUser();
  const productId = await makeProduct(sellerId, { price: change.price ?? 1_900, condition: "good" });
  await db
    .update(products)
    .set({
      takesOffers: true,
      lowestOffer: change.lowestOffer ?? null,
      stock: change.stock === undefined ? 1 : change.stock,
    })
    .where(eq(products.id, productId));
  return { sellerId, productId };
}

export interface Negotiation extends OfferListing {
  buyerId: string;
  offerId: string;
}

export function offerFor(productId: string, buyerId: string, amount: number, key: string = crypto.randomUUID()) {
  return makeOffer(servicesAt(), { buyerId, productId, amount, revision: 0, note: "", key });
}

/** An offer that waits for its seller. */
export async function openOffer(listing?: OfferListing, amount = 1_500): Promise<Negotiation> {
  const { sellerId, productId } = listing ?? (await listForOffers());
  const buyerId = await makeUser();
  const made = await offerFor(productId, buyerId, amount);
  if (!made.ok) throw new Error(made.code);
  const [offer] = await db.select({ id: offers.id }).from(offers).where(eq(offers.buyerId, buyerId));
  return { sellerId, productId, buyerId, offerId: offer?.id ?? "" };
}

export function take({ offerId, buyerId, sellerId }: Negotiation, step: StepInput["step"], amount?: number) {
  const by = step === "buyer_accepted" || step === "buyer_declined" || step === "withdrawn" ? buyerId : sellerId;
  return stepOffer(servicesAt(), { offerId, by, step, ...(amount === undefined ? {} : { amount }) });
}

export async function acceptedOffer(listing?: OfferListing, amount = 1_500): Promise<Negotiation> {
  const offer = await openOffer(listing, amount);
  const accepted = await take(offer, "seller_accepted");
  if (!accepted.ok) throw new Error(accepted.code);
  return offer;
}

export async function readOffer(offerId: string) {
  const [offer] = await db.select().from(offers).where(eq(offers.id, offerId));
  if (!offer) throw new Error("no such offer");
  return offer;
}

/** Orders an accepted offer, and returns the order's id. */
export async function orderOffer({ offerId, buyerId }: Pick<Negotiation, "offerId" | "buyerId">): Promise<string> {
  const placed = await payOffer(servicesAt(), { offerId, buyerId });
  if (!placed.ok) throw new Error(placed.code);
  return placed.orderId;
}

export function askToPay(orderId: string, buyerId: string, offsetMs = 0) {
  return requestOrderPayment(quietServices(offsetMs), { orderId, userId: buyerId, phone: uniquePhone("00") });
}
