import { data } from "react-router";
import type { Route } from "./+types/offer.ts";
import { OfferCard } from "#app/offers/components/offer-card.tsx";
import { findOfferFor } from "#app/offers/find-offer.server.ts";
import { requireViewer, servicesContext } from "#app/request/context.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { reloadsOnConflict } from "#app/ui/feedback/no-answer.ts";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { useFormAnswer } from "#app/ui/forms/use-form-answer.ts";
import { offerAction } from "#app/screens/actions/offer-action.server.ts";

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

/** Takes the forms of the card from browsers without scripts (send-offer.ts has the others). */
export const action = offerAction;

export default function OfferPage({ loaderData, actionData }: Route.ComponentProps) {
  const answer = useFormAnswer(actionData);
  const { offer, product, otherId, viewerId, now } = loaderData;
  return (
    <div className="page page--form stack">
      <PageHeader
        title={`Offer for ${product.name}`}
        back={{ to: `/profile?tab=messages&with=${otherId}`, label: "Messages" }}
      />
      <OfferCard offer={offer} viewerId={viewerId} now={now} answer={answer} />
      <LinkButton to={`/product/${product.id}`} variant="soft">
        See the listing
      </LinkButton>
    </div>
  );
}
