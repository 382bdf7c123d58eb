import { data, redirect } from "react-router";
import { z } from "zod";
import type { Route } from "./+types/order.ts";
import { OrderFailure } from "#app/orders/components/order-failure.tsx";
import { TOO_MANY_REQUESTS } from "#app/platform/rate-limit-rules.ts";
import { requireViewer, servicesContext } from "#app/request/context.ts";
import type { ItemResult } from "#app/messaging/components/item-conversation.tsx";
import { OrderView } from "#app/screens/order/order-view.tsx";
import { findTrackedOrder } from "#app/screens/order/order.server.ts";
import { PROBLEM_KINDS } from "#app/db/states/deal.ts";
import { DEAL_TEXTS } from "#app/deals/words/deal-texts.ts";
import { problemForm } from "#app/deals/problems/problem-forms.ts";
import { TO_OUR_TEAM } from "#app/deals/problems/problem-rules.ts";
import { doneText } from "#app/deals/problems/problem-texts.ts";
import { findSameReport, reportProblem } from "#app/deals/problems/problems.server.ts";
import { seeMoment, seeThings } from "#app/screens/notifications/see-things.server.ts";
import { givesCodeAway, OWN_CODE_TEXT } from "#app/deals/code/own-code.server.ts";
import { liftReport } from "#app/deals/problems/lift-report.server.ts";
import {
  answerMissed,
  askToCancel,
  itemAnswer,
  moveDeal,
  noteField,
  sendAfter,
} from "#app/screens/actions/deal-action.server.ts";
import { agreeToItem } from "#app/messaging/sending/send-message.server.ts";
import { reportIssue } from "#app/deals/problems/issue-reports.server.ts";
import { findItemSoldInOrder } from "#app/orders/orders.server.ts";
import { ISSUE_TEXTS, orderTitle, reportEffect, shortOrderId } from "#app/orders/order-rules.ts";
import type { Services } from "#app/request/services.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { passOn, reloadsOnConflict } from "#app/ui/feedback/no-answer.ts";
import { isJust, justItem } from "#app/ui/feedback/just.ts";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { useFormAnswer } from "#app/ui/forms/use-form-answer.ts";

export function meta({ loaderData, params }: Route.MetaArgs) {
  return pageMeta(loaderData ? `Order: ${orderTitle(loaderData.items)}` : `Order ${shortOrderId(params.orderId)}`);
}

export const shouldRevalidate = reloadsOnConflict;

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const viewer = requireViewer(context);
  const services = context.get(servicesContext);
  const found = await findTrackedOrder(services, params.orderId, viewer.id);
  if (!found) {
    // Sellers have their own page for an order item.
    const itemId = await findItemSoldInOrder(services.db, params.orderId, viewer.id);
    if (itemId) throw redirect(`/seller/orders/${itemId}`);
    throw data(null, { status: 404 });
  }
  seeThings(services, viewer, request, [
    `order:${found.order.id}`,
    ...found.items.map(({ id }) => `item:${id}` as const),
  ]);
  if (found.handedOver !== null) seeMoment(services, viewer, request, [`item:${found.handedOver}`]);
  const itemId = justItem(request);
  const isTold = ({ id, isByCode }: (typeof found.items)[number]) => isByCode && (itemId === null || id === itemId);
  const told = isJust(request, "code") ? found.items.find(isTold)?.id : undefined;
  return {
    ...found,
    handedOver: found.handedOver ?? told ?? null,
    viewerId: viewer.id,
    messageKey: crypto.randomUUID(),
    now: services.now(),
    origin: new URL(request.url).origin,
  };
}

const form = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("agree"), itemId: z.uuid() }),
  z.object({ intent: z.enum(["accept", "cancel", "keep", "settle", "lift-report", "missed"]), itemId: z.uuid() }),
  z.object({ intent: z.literal("ask-to-cancel"), itemId: z.uuid(), note: noteField }),
  z.object({
    intent: z.literal("report"),
    itemId: z.union([z.literal(""), z.uuid()]).default(""),
    kind: z.enum([...PROBLEM_KINDS, TO_OUR_TEAM]).default(TO_OUR_TEAM),
    description: z.string().max(10_000),
  }),
]);

/** The event of each button, and the message after it. */
const STEPS = {
  accept: { event: "accepted", done: DEAL_TEXTS.accepted },
  cancel: { event: "cancelled_by_buyer", done: DEAL_TEXTS.cancelled },
  settle: { event: "problem_withdrawn", done: DEAL_TEXTS.settled },
  keep: { event: "cancel_withdrawn", done: DEAL_TEXTS.withdrawn },
  "ask-to-cancel": { event: "cancel_requested", done: DEAL_TEXTS.requested },
} as const;

export async function action({ request, params, context }: Route.ActionArgs) {
  const viewer = requireViewer(context);
  const services = context.get(servicesContext);
  const parsed = form.safeParse(Object.fromEntries(await request.formData()));
  if (!parsed.success) return itemAnswer("", 400, DEAL_TEXTS.failed);
  const { itemId, intent } = parsed.data;
  if (!(await services.limits.write(viewer.id))) return itemAnswer(itemId, 429, TOO_MANY_REQUESTS);

  switch (intent) {
    case "report": {
      const { kind, description } = parsed.data;
      const told = await tellSeller(services, { kind, description, itemId, buyerId: viewer.id });
      if (told) return told;
      return report(services, { description, itemId: itemId || null, orderId: params.orderId, userId: viewer.id });
    }
    case "agree":
      return agree(services, itemId, viewer.id);
    case "missed":
      return answerMissed(services, { itemId, by: viewer.id });
    case "lift-report": {
      const lifted = sendAfter(services, itemId, await liftReport(services, { itemId, buyerId: viewer.id }));
      return lifted.ok ? itemAnswer(itemId, 200, DEAL_TEXTS.lifted) : itemAnswer(itemId, 409, DEAL_TEXTS.changed);
    }
    default: {
      const { event, done } = STEPS[intent];
      const note = "note" in parsed.data ? parsed.data.note : null;
      if (await givesCodeAway(services, viewer.id, [note])) return itemAnswer(itemId, 400, OWN_CODE_TEXT);
      const moved =
        event === "cancel_requested"
          ? await askToCancel(services, { itemId, buyerId: viewer.id, note })
          : await moveDeal(services, { itemId, event, by: viewer.id, note });
      if (moved.ok) return itemAnswer(itemId, 200, done);
      return moved.code === "too_many"
        ? itemAnswer(itemId, 429, TOO_MANY_REQUESTS)
        : itemAnswer(itemId, 409, DEAL_TEXTS.changed);
    }
  }
}

async function agree(services: Services, itemId: string, buyerId: string) {
  const agreed = await agreeToItem(services, { orderItemId: itemId, buyerId });
  return agreed.ok
    ? itemAnswer(itemId, 200, "You agreed. We've told the seller.")
    : itemAnswer(itemId, 409, "There is nothing to agree to. Please refresh the page.");
}

/** A problem with an item goes to its seller. Null where they needn't answer it now, so that our team reads it. */
async function tellSeller(
  services: Services,
  { kind, description, itemId, buyerId }: { kind: string; description: string; itemId: string; buyerId: string },
) {
  if (kind === TO_OUR_TEAM || itemId === "") return null;
  const problem = problemForm.safeParse({ intent: "report", kind, description });
  if (!problem.success || problem.data.intent !== "report") return null;
  if (await givesCodeAway(services, buyerId, [description])) return itemAnswer("", 400, OWN_CODE_TEXT);
  const reported = await reportProblem(services, { itemId, buyerId, ...problem.data, photoKeys: [] });
  sendAfter(services, itemId, reported);
  if (reported.ok) return itemAnswer(itemId, 200, doneText("report", reported.subtotal));
  // Our team would read the same words, and their report stops the money.
  const before = reported.code === "not_found" ? null : await findSameReport(services, { itemId, ...problem.data });
  return before === null ? null : itemAnswer(itemId, 200, doneText("report", before));
}

async function report(services: Services, input: Parameters<typeof reportIssue>[1]) {
  const reported = await reportIssue(services, input);
  if (reported.ok) return itemAnswer("", 200, [ISSUE_TEXTS.reported, ...reportEffect(reported.money)].join(" "));
  if (reported.code === "refused") return itemAnswer("", 400, reported.error);
  return reported.code === "too_many"
    ? itemAnswer("", 429, ISSUE_TEXTS.tooMany)
    : itemAnswer("", 404, ISSUE_TEXTS.failed);
}

/** A lost answer keeps the screen and what was typed. A report that was saved all the same is saved only once. */
export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  const { intent, itemId } = Object.fromEntries(await request.clone().formData());
  return passOn(serverAction, (): ItemResult =>
    intent === "report"
      ? { ok: false, message: ISSUE_TEXTS.failed, itemId: "" }
      : { ok: false, message: DEAL_TEXTS.failed, itemId: String(itemId) },
  );
}

export default function Order({ loaderData, actionData }: Route.ComponentProps) {
  const answer = useFormAnswer(actionData);
  return <OrderView {...loaderData} result={answer} />;
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <OrderFailure paying error={error} action={<LinkButton to="/profile?tab=orders">My Orders</LinkButton>} />;
}
