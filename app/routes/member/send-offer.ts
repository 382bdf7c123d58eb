import { redirect } from "react-router";
import type { Route } from "./+types/send-offer.ts";
import type { OfferCardAnswer } from "#app/offers/components/offer-card.tsx";
import { offerAction } from "#app/screens/actions/offer-action.server.ts";
import { passOn, PRESS_FAILED } from "#app/ui/feedback/no-answer.ts";

/** This address has no page. */
export function loader({ params }: Route.LoaderArgs) {
  return redirect(`/offers/${params.offerId}`);
}

/** Takes the forms of an offer's card from any page that shows it. */
export const action = offerAction;

/** A lost answer keeps the screen. Every action here is safe to repeat. */
export function clientAction({ serverAction }: Route.ClientActionArgs) {
  return passOn(serverAction, (): OfferCardAnswer => ({ ok: false, message: PRESS_FAILED }));
}
