import { data, redirect } from "react-router";
import { z } from "zod";
import type { Route } from "./+types/offer.ts";
import { orderAwayText } from "#app/accounts/holiday.ts";
import { type OfferCardAnswer, OfferCard } from "#app/offers/components/offer-card.tsx";
import { findOfferFor } from "#app/offers/find-offer.server.ts";
import { OFFER_STEPS } from "#app/offers/offer-rules.ts";
import { stepOffer } from "#app/offers/offer-steps.server.ts";
import { OFFER_TEXTS, STEP_DONE, stepRefusalText } from "#app/offers/offer-texts.ts";
import { payOffer } from "#app/offers/pay-offer.server.ts";
import { ORDERED_TOO_OFTEN_TEXT, payingText } from "#app/orders/order-rules.ts";
import { readAmount, unclearText } from "#app/platform/number-rules.ts";
import { TOO_MANY_REQUESTS } from "#app/platform/rate-limit-rules.ts";
import { requireViewer, servicesContext } from "#app/request/context.ts";
import type { Services } from "#app/request/services.ts";
import { redirectToPayment } from "#app/screens/actions/redirect-to-payment.server.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { passOn, reloadsOnConflict } from "#app/ui/feedback/no-answer.ts";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { pageMeta } from "#app/ui/page/page-meta.ts";

export function meta() {
  return pageMeta("Offer");
}

export const shouldRevalidate = reloadsOnConflict;

/** The page of one offer. Forms of the card that are sent without scripts end here. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const viewer = requireViewer(context);
  const services = context.get(servicesContext);
  const found = await findOfferFor(services, params.offerId, viewer.id);
  if (!found) throw data(null, { status: 404 });
  return { ...found, viewerId: viewer.id, now: services.now() };
}

const form = z.object({
  intent: z.enum([...OFFER_STEPS, "pay"]),
  amount: z.optional(z.string().max(100)),
});

export async function action({ request, params: { offerId }, context }: Route.ActionArgs) {
  const viewer = requireViewer(context);
  const services = context.get(servicesContext);
  const parsed = form.safeParse(Object.fromEntries(await request.formData()));
  if (!parsed.success) return answer(400, { ok: false, message: OFFER_TEXTS.failed });
  if (!(await services.limits.write(viewer.id))) return answer(429, { ok: false, message: TOO_MANY_REQUESTS });
  const { intent, amount: typed = "" } = parsed.data;
  if (intent === "pay") return pay(services, { offerId, buyerId: viewer.id });
  const reading = readAmount(typed);
  const unclear = intent === "countered" ? unclearText(typed, reading) : null;
  if (unclear) return answer(400, { ok: false, message: unclear, amountError: unclear, typed });
  const amount = reading.ok ? reading.value : NaN;
  const stepped = await stepOffer(services, { offerId, by: viewer.id, step: intent, amount });
  if (stepped.ok) {
    services.drainOutbox();
    return answer(200, { ok: true, message: STEP_DONE[intent] });
  }
  if (stepped.code === "not_found") throw data(null, { status: 404 });
  const { status, message, isAmount } = stepRefusalText(stepped.code);
  return answer(status, { ok: false, message, ...(isAmount && { amountError: message, typed }) });
}

async function pay(services: Services, input: { offerId: string; buyerId: string }) {
  const placed = await payOffer(services, input);
  if (placed.ok) return redirect(`/checkout/${placed.orderId}`);
  switch (placed.code) {
    case "not_found":
      throw data(null, { status: 404 });
    case "paying":
      return redirectToPayment(services, placed.orderId, payingText(placed));
    case "away":
      return answer(409, { ok: false, message: orderAwayText(placed) });
    case "too_many":
      return answer(429, { ok: false, message: ORDERED_TOO_OFTEN_TEXT });
    default:
      return answer(409, { ok: false, message: OFFER_TEXTS.over });
  }
}

function answer(status: number, result: OfferCardAnswer) {
  return data(result, status);
}

/** A lost answer keeps the screen. Every action here is safe to repeat. */
export function clientAction({ serverAction }: Route.ClientActionArgs) {
  return passOn(serverAction, (): OfferCardAnswer => ({ ok: false, message: OFFER_TEXTS.failed }));
}

export default function OfferPage({ loaderData, actionData }: Route.ComponentProps) {
  const { offer, product, otherId, viewerId, now } = loaderData;
  return (
    <div className="page page--form stack">
      <PageHeader
        title={`Offer for ${product.name}`}
        back={{ to: `/profile?tab=messages&with=${otherId}`, label: "Messages" }}
      />
      <OfferCard offer={offer} viewerId={viewerId} now={now} answer={actionData ?? null} />
      <LinkButton to={`/product/${product.id}`} variant="soft">
        See the listing
      </LinkButton>
    </div>
  );
}
