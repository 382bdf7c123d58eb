import { type ActionFunctionArgs, data, redirect } from "react-router";
import { z } from "zod";
import { orderBlockedText } from "#app/accounts/trust/block-rules.ts";
import { orderAwayText } from "#app/accounts/profile/holiday.ts";
import type { OfferCardAnswer } from "#app/offers/components/offer-card.tsx";
import { OFFER_STEPS } from "#app/offers/offer-rules.ts";
import { stepOffer } from "#app/offers/offer-steps.server.ts";
import { OFFER_TEXTS, STEP_DONE, stepRefusalText } from "#app/offers/offer-texts.ts";
import { payOffer } from "#app/offers/pay-offer.server.ts";
import { ORDERED_TOO_OFTEN_TEXT, payingText } from "#app/orders/order-rules.ts";
import { readAmount, unclearText } from "#app/platform/number-rules.ts";
import { TOO_MANY_REQUESTS } from "#app/platform/rate-limit-rules.ts";
import { requireViewer, servicesContext } from "#app/request/context.ts";
import type { Services } from "#app/request/services.ts";
import { redirectToPayment } from "./redirect-to-payment.server.ts";

const form = z.object({
  intent: z.enum([...OFFER_STEPS, "pay"]),
  /** KES: the price of a counter-offer, or what the buyer saw on Pay. */
  amount: z.optional(z.string().max(100)),
});

/** The steps of an offer, and Pay at its price. The route has the parameter `offerId`. */
export async function offerAction({ request, params: { offerId = "" }, context }: ActionFunctionArgs) {
  const viewer = requireViewer(context);
  const services = context.get(servicesContext);
  const parsed = form.safeParse(Object.fromEntries(await request.formData()));
  if (!parsed.success) return data<OfferCardAnswer>({ ok: false, message: OFFER_TEXTS.failed }, 400);
  if (!(await services.limits.write(viewer.id)))
    return data<OfferCardAnswer>({ ok: false, message: TOO_MANY_REQUESTS }, 429);
  const { intent, amount: typed = "" } = parsed.data;
  const reading = readAmount(typed);
  const unclear = intent === "countered" ? unclearText(typed, reading) : null;
  if (unclear) return data<OfferCardAnswer>({ ok: false, message: unclear, amountError: unclear, typed }, 400);
  const amount = reading.ok ? reading.value : NaN;
  if (intent === "pay") return pay(services, { offerId, buyerId: viewer.id, amount });
  const stepped = await stepOffer(services, { offerId, by: viewer.id, step: intent, amount });
  if (stepped.ok) {
    services.drainOutbox();
    return data<OfferCardAnswer>({ ok: true, message: STEP_DONE[intent] }, 200);
  }
  if (stepped.code === "not_found") throw data(null, { status: 404 });
  const { status, message, isAmount } = stepRefusalText(stepped.code);
  return data<OfferCardAnswer>({ ok: false, message, ...(isAmount && { amountError: message, typed }) }, status);
}

async function pay(services: Services, input: { offerId: string; buyerId: string; amount: number }) {
  const placed = await payOffer(services, input);
  if (placed.ok) return redirect(`/checkout/${placed.orderId}`);
  switch (placed.code) {
    case "not_found":
      throw data(null, { status: 404 });
    case "paying":
      return redirectToPayment(services, placed.orderId, payingText(placed));
    case "away":
      return data<OfferCardAnswer>({ ok: false, message: orderAwayText(placed) }, 409);
    case "blocked":
      return data<OfferCardAnswer>({ ok: false, message: orderBlockedText(placed) }, 409);
    case "price_changed":
      return data<OfferCardAnswer>({ ok: false, message: OFFER_TEXTS.price_changed, due: placed.amount }, 409);
    case "too_many":
      return data<OfferCardAnswer>({ ok: false, message: ORDERED_TOO_OFTEN_TEXT }, 429);
    default:
      return data<OfferCardAnswer>({ ok: false, message: OFFER_TEXTS.over }, 409);
  }
}
