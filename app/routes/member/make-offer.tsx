import { data } from "react-router";
import { z } from "zod";
import type { Route } from "./+types/make-offer.ts";
import { explainMessageLimit } from "#app/accounts/trust/newcomer.server.ts";
import { OfferForm, type OfferAnswer } from "#app/offers/components/offer-form.tsx";
import { findOfferPage, makeOffer } from "#app/offers/make-offer.server.ts";
import { OFFER_NOTE_MAX } from "#app/offers/offer-rules.ts";
import { OFFER_TEXTS, refusalAnswer } from "#app/offers/offer-texts.ts";
import { redirectWithFlash } from "#app/platform/flash.server.ts";
import { formNumber } from "#app/platform/form-number.ts";
import { readAmount, readDigits, unclearText } from "#app/platform/number-rules.ts";
import { TOO_MANY_REQUESTS } from "#app/platform/rate-limit-rules.ts";
import { requireViewer, servicesContext } from "#app/request/context.ts";
import { passOn, reloadsOnConflict } from "#app/ui/feedback/no-answer.ts";
import { findPriceGuide } from "#app/screens/price-guide/price-guide.server.ts";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { useFormAnswer } from "#app/ui/forms/use-form-answer.ts";

export function meta() {
  return pageMeta("Make an Offer");
}

export const shouldRevalidate = reloadsOnConflict;

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const viewer = requireViewer(context);
  const services = context.get(servicesContext);
  const [page, guide] = await Promise.all([
    findOfferPage(services, { productId: params.productId, buyerId: viewer.id }),
    findPriceGuide(services, params.productId),
  ]);
  if (!page) throw data(null, { status: 404 });
  const query = new URL(request.url).searchParams;
  // What the product's page showed, where the buyer comes from there.
  const seen = readDigits(query.get("revision") ?? "") ?? page.revision;
  return { page, guide, seen, formKey: crypto.randomUUID() };
}

const form = z.object({
  amount: z.string().max(100),
  note: z.string().max(10 * OFFER_NOTE_MAX),
  formKey: z.uuid(),
  revision: formNumber().default(0),
});

export async function action({ request, params: { productId }, context }: Route.ActionArgs) {
  const viewer = requireViewer(context);
  const services = context.get(servicesContext);
  const parsed = form.safeParse(Object.fromEntries(await request.formData()));
  if (!parsed.success) return data<OfferAnswer>({ errors: { form: OFFER_TEXTS.failed }, typed: null }, 400);
  const { amount, note, formKey, revision } = parsed.data;
  const typed = { amount, note };
  if (!(await services.limits.write(viewer.id)))
    return data<OfferAnswer>({ errors: { form: TOO_MANY_REQUESTS }, typed }, 429);
  const reading = readAmount(amount);
  const unclear = unclearText(amount, reading);
  if (unclear) return data<OfferAnswer>({ errors: { amount: unclear }, typed }, 400);
  const offered = reading.ok ? reading.value : NaN;
  const made = await makeOffer(services, {
    buyerId: viewer.id,
    productId,
    amount: offered,
    note,
    revision,
    key: formKey,
  });
  if (made.ok) {
    services.drainOutbox();
    return redirectWithFlash(services, `/profile?tab=messages&with=${made.sellerId}`, {
      kind: "success",
      text: OFFER_TEXTS.sent,
    });
  }
  if (made.code === "not_found") throw data(null, { status: 404 });
  const limit = made.code === "newcomer" ? await explainMessageLimit(services, viewer.id) : null;
  if (limit !== null) return data<OfferAnswer>({ errors: { form: limit }, typed }, 403);
  const { status, errors } = refusalAnswer(made.code);
  const now = made.code === "listing_changed" ? { revision: made.revision } : {};
  return data<OfferAnswer>({ errors, typed, ...now, ...(made.code === "too_low" && { tooLow: offered }) }, status);
}

/** A lost answer keeps the form, and with it the key under which the next press finds the same offer. */
export function clientAction({ serverAction }: Route.ClientActionArgs) {
  return passOn(serverAction, (): OfferAnswer => ({ errors: { form: OFFER_TEXTS.failed }, typed: null }));
}

export default function MakeOffer({ loaderData, actionData }: Route.ComponentProps) {
  const answer = useFormAnswer(actionData);
  return (
    <div className="page page--form">
      <OfferForm key={loaderData.page.productId} {...loaderData} answer={answer} />
    </div>
  );
}
