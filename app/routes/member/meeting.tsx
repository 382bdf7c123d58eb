import { data } from "react-router";
import type { Route } from "./+types/meeting.ts";
import { type MeetingAnswer, MeetingView } from "#app/meetings/components/meeting-view.tsx";
import { findItemMeeting, liveMeetingOf, orderPathOf } from "#app/meetings/find-meeting.server.ts";
import { meetingValues } from "#app/meetings/meeting-rules.ts";
import { MEETING_TEXTS } from "#app/meetings/meeting-texts.ts";
import { OrderFailure } from "#app/orders/components/order-failure.tsx";
import { requireViewer, servicesContext } from "#app/request/context.ts";
import { seeThings } from "#app/screens/notifications/see-things.server.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { passOn, reloadsOnConflict } from "#app/ui/feedback/no-answer.ts";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { useFormAnswer } from "#app/ui/forms/use-form-answer.ts";
import { meetingAction } from "#app/screens/actions/meeting-action.server.ts";

export function meta() {
  return pageMeta("Meeting");
}

export const shouldRevalidate = reloadsOnConflict;

/** The page of one meeting. Forms of its card that are sent without scripts end here. */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  const viewer = requireViewer(context);
  const services = context.get(servicesContext);
  const found = await findItemMeeting(services, params.itemId, viewer.id);
  if (!found) throw data(null, { status: 404 });
  seeThings(services, viewer, request, [`item:${params.itemId}`]);
  const { item, places } = found;
  const isBuyer = item.buyer.id === viewer.id;
  return {
    itemId: item.itemId,
    productName: item.productName,
    other: (isBuyer ? item.seller : item.buyer).name || (isBuyer ? "the seller" : "the buyer"),
    orderPath: orderPathOf(item, viewer.id),
    isOpen: item.isOpen,
    meeting: liveMeetingOf(item),
    values: item.meeting && meetingValues(item.meeting, places.points),
    places,
    viewerId: viewer.id,
    now: services.now(),
  };
}

/** Takes its own form, and those of the card from browsers without scripts (send-meeting.ts has the others). */
export const action = meetingAction;

/** A lost answer keeps the screen and what was typed. Suggesting the same again is safe. */
export function clientAction({ serverAction }: Route.ClientActionArgs) {
  const message = MEETING_TEXTS.failed;
  return passOn(serverAction, (): MeetingAnswer => ({ ok: false, message, errors: { form: message } }));
}

export default function MeetingPage({ loaderData, actionData }: Route.ComponentProps) {
  const answer = useFormAnswer(actionData);
  return (
    <div className="page page--form stack">
      <MeetingView key={loaderData.itemId} {...loaderData} answer={answer} />
    </div>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <OrderFailure error={error} action={<LinkButton to="/profile?tab=orders">My Orders</LinkButton>} />;
}
