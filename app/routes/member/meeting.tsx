import { data } from "react-router";
import { z } from "zod";
import type { Route } from "./+types/meeting.ts";
import { MEETING_EVENTS } from "#app/db/states/meeting.ts";
import { type MeetingAnswer, MeetingView } from "#app/meetings/components/meeting-view.tsx";
import { findItemMeeting, liveMeetingOf, orderPathOf } from "#app/meetings/find-meeting.server.ts";
import { meetingValues } from "#app/meetings/meeting-rules.ts";
import { STEP_DONE, stepRefusalText } from "#app/meetings/meeting-step-texts.ts";
import { MEETING_TEXTS } from "#app/meetings/meeting-texts.ts";
import { stepMeeting } from "#app/meetings/meetings.server.ts";
import { OrderFailure } from "#app/orders/components/order-failure.tsx";
import { redirectWithFlash } from "#app/platform/flash.server.ts";
import { formNumber } from "#app/platform/form-number.ts";
import { TOO_MANY_REQUESTS } from "#app/platform/rate-limit-rules.ts";
import { requireViewer, servicesContext } from "#app/request/context.ts";
import { seeThings } from "#app/screens/notifications/see-things.server.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { passOn, reloadsOnConflict } from "#app/ui/feedback/no-answer.ts";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { useFormAnswer } from "#app/ui/forms/use-form-answer.ts";

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

const typed = z.string().max(500).default("");
const form = z.object({
  intent: z.enum(MEETING_EVENTS),
  round: formNumber(0, 1_000),
  point: typed,
  otherPlace: typed,
  day: typed,
  time: typed,
});

export async function action({ request, params: { itemId }, context }: Route.ActionArgs) {
  const viewer = requireViewer(context);
  const services = context.get(servicesContext);
  const parsed = form.safeParse(Object.fromEntries(await request.formData()));
  if (!parsed.success) return data<MeetingAnswer>({ ok: false, message: MEETING_TEXTS.failed }, 400);
  const { intent, round, ...values } = parsed.data;
  const isForm = intent === "suggested";
  const refuse = (status: number, message: string, errors: MeetingAnswer["errors"] = { form: message }) =>
    data<MeetingAnswer>({ ok: false, message, ...(isForm && { errors, typed: values }) }, status);
  if (!(await services.limits.write(viewer.id))) return refuse(429, TOO_MANY_REQUESTS);
  const stepped = await stepMeeting(services, { itemId, by: viewer.id, step: intent, round, values });
  if (stepped.ok) {
    services.drainOutbox();
    if (!isForm) return data<MeetingAnswer>({ ok: true, message: STEP_DONE[intent] }, 200);
    return redirectWithFlash(services, orderPathOf(stepped.item, viewer.id), {
      kind: "success",
      text: STEP_DONE.suggested,
    });
  }
  if (stepped.code === "not_found") throw data(null, { status: 404 });
  if (stepped.code === "invalid") return refuse(400, Object.values(stepped.errors)[0] ?? "", stepped.errors);
  const { status, message } = stepRefusalText(stepped.code);
  return refuse(status, message);
}

/** A lost answer keeps the screen and what was typed. Every action here is safe to repeat. */
export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  const { intent } = Object.fromEntries(await request.clone().formData());
  const message = MEETING_TEXTS.failed;
  return passOn(serverAction, (): MeetingAnswer => ({
    ok: false,
    message,
    ...(intent === "suggested" && { errors: { form: message } }),
  }));
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
