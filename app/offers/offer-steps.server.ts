import { and, eq, gt, isNull, not, sql } from "drizzle-orm";
import { awayUntil } from "#app/accounts/profile/holiday.server.ts";
import { expectOneChange, expectThat, retryOnConflict, type Statement } from "#app/db/batch.ts";
import { build, idList } from "#app/db/build.ts";
import { afterReservationsChanged, endWaits } from "#app/catalogue/stock/stock-effects.server.ts";
import { OFFER } from "#app/db/states/offer.ts";
import { offers } from "#app/catalogue/tables.server.ts";
import type { OfferState } from "#app/db/states/offer.ts";
import { findMessageByKey } from "#app/messaging/conversations/messages.server.ts";
import { type MessagingServices, sendMessage, type SendRefusal } from "#app/messaging/sending/send-message.server.ts";
import { findOffer, isBeingPaid, type Offer } from "./find-offer.server.ts";
import { tellOffer } from "./tell-offer.server.ts";
import {
  type AmountRefusal,
  nextOfferState,
  OFFER_ACTORS,
  offerExpiry,
  type OfferStep,
  refuseCounter,
} from "./offer-rules.ts";
import { stepMessage } from "./offer-texts.ts";

export interface StepInput {
  offerId: string;
  /** Who pressed the button. */
  by: string;
  step: OfferStep;
  /** KES: the price of a counter-offer. */
  amount?: number;
}

export type StepRefusal =
  | AmountRefusal
  | "not_above_offer"
  /** The offer is in another state or over. */
  | "changed"
  /** All pieces are promised to others. */
  | "reserved"
  /** A payment at its price is under way. */
  | "paying"
  /** The seller is on holiday, so nobody could pay. One code for the seller who answers, one for the buyer. */
  | "on_holiday"
  | "seller_away"
  | SendRefusal;

export type StepResult =
  | { ok: true }
  /** No such offer, or not theirs to answer. */
  | { ok: false; code: "not_found" | StepRefusal };

const MAX_TRIES = 6;

/**
 * Takes a step of an offer for its buyer or seller: the offer, the message that says so, and the email, in one guarded
 * batch. An accepted offer keeps a piece; the batch is refused where none is left. Safe to repeat.
 */
export async function stepOffer(services: MessagingServices, input: StepInput): Promise<StepResult> {
  return retryOnConflict(MAX_TRIES, async (attempt) => {
    const offer = await findOffer(services, input.offerId);
    if (!offer || offer[actorOf(input.step)].id !== input.by) return { ok: false, code: "not_found" };
    const next = nextOfferState(offer.state, input.step);
    const refusal = refuseStep(services, offer, next, input);
    if (refusal && attempt === 1 && (await isRepeat(services, offer, input))) return { ok: true };
    if (next === null || refusal) return { ok: false, code: refusal ?? "changed" };
    const sent = await writeStep(services, offer, next, input);
    return sent.ok ? { ok: true } : sent;
  });
}

function actorOf(step: OfferStep): "buyer" | "seller" {
  return OFFER_ACTORS[step] === "buyer" ? "buyer" : "seller";
}

function refuseStep(
  { now }: MessagingServices,
  offer: Offer,
  next: OfferState | null,
  { step, amount = NaN }: StepInput,
) {
  if (next === null || offer.expiresAt <= now()) return "changed";
  if (leadsToPayment(next) && (offer.sellerAwayUntil ?? 0) > now())
    return actorOf(step) === "seller" ? "on_holiday" : "seller_away";
  if (step === "countered") return refuseCounter(amount, offer);
  if (next === "accepted" && !offer.hasFreePiece) return "reserved";
  return step === "withdrawn" && offer.isBeingPaid ? "paying" : null;
}

/** The buyer pays next, or accepts a price and then pays. */
function leadsToPayment(next: OfferState): boolean {
  return next === "accepted" || next === "countered";
}

/** The same step was taken before. A counter-offer with another price is not the same. */
async function isRepeat(services: MessagingServices, offer: Offer, { step, amount, by }: StepInput): Promise<boolean> {
  if (step === "countered" && offer.counterAmount !== amount) return false;
  return (await findMessageByKey(services, by, keyOf(offer.id, step))) !== null;
}

function keyOf(offerId: string, step: OfferStep): string {
  return `offer:${offerId}:${step}`;
}

function writeStep(services: MessagingServices, offer: Offer, next: OfferState, { by, step, amount }: StepInput) {
  const now = services.now();
  const expiresAt = offerExpiry(next, now);
  const stepped = { ...offer, counterAmount: step === "countered" ? (amount ?? null) : offer.counterAmount };
  const statements: Statement[] = [
    build
      .update(offers)
      .set({
        state: next,
        counterAmount: stepped.counterAmount,
        expiresAt: expiresAt ?? offer.expiresAt,
        updatedAt: now,
      })
      .where(and(eq(offers.id, offer.id), eq(offers.state, offer.state), gt(offers.expiresAt, now))),
    expectOneChange(),
    ...(next === "accepted" ? [endWaits(offer.buyer.id, idList(offer.productId))] : []),
    ...(next === "accepted" || OFFER.isAccepted(offer.state)
      ? afterReservationsChanged(idList(offer.productId), now)
      : []),
    ...(step === "withdrawn" ? [expectThat(not(isBeingPaid(offer.id)))] : []),
    ...(leadsToPayment(next) ? [expectThat(isNull(awayUntil(sql`${offer.seller.id}`, now)))] : []),
    ...tellOffer(stepped, step, expiresAt, now),
  ];
  return sendMessage(services, {
    senderId: by,
    recipientId: by === offer.buyer.id ? offer.seller.id : offer.buyer.id,
    about: { kind: "product", id: offer.productId },
    text: stepMessage(step, stepped),
    key: keyOf(offer.id, step),
    step: { kind: "offer", offerId: offer.id, statements },
  });
}
