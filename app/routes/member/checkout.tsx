import type { ReactNode } from "react";
import { data, redirect } from "react-router";
import { z } from "zod";
import type { Route } from "./+types/checkout.ts";
import { rememberPayingPhone } from "#app/accounts/profile/paying-phone.server.ts";
import { readPhone } from "#app/accounts/profile/phone.ts";
import { OrderFailure } from "#app/orders/components/order-failure.tsx";
import { TOO_MANY_REQUESTS } from "#app/platform/rate-limit-rules.ts";
import { requestContext, requireViewer, servicesContext } from "#app/request/context.ts";
import { abandonPayment } from "#app/payments/collect/abandon-payment.server.ts";
import { findReservedItem } from "#app/payments/collect/availability.server.ts";
import { givesCodeAway, OWN_CODE_TEXT } from "#app/deals/code/own-code.server.ts";
import { saveDelivery } from "#app/orders/delivery.server.ts";
import { findOrderForBuyer } from "#app/orders/orders.server.ts";
import { NO_DELIVERY_ERROR, refuseDeliveryBy } from "#app/orders/order-rules.ts";
import {
  ADDRESS_MAX_LENGTH,
  type CheckoutValues,
  INSTRUCTIONS_MAX_LENGTH,
  refuseCheckout,
} from "#app/payments/collect/checkout-form.ts";
import { type CheckoutResult, CheckoutView } from "#app/payments/components/checkout-view.tsx";
import { confirmFreeOrder } from "#app/payments/collect/confirm-free-order.server.ts";
import { mayAskForPayment } from "#app/payments/collect/payment-limits.ts";
import { findCheckoutMeeting, saveCheckoutMeeting } from "#app/meetings/checkout-meeting.server.ts";
import { CheckoutMeetingFields } from "#app/meetings/components/checkout-meeting-fields.tsx";
import {
  isEmptySuggestion,
  type MeetingErrors,
  type MeetingValues,
  readSuggestion,
  type Suggestion,
} from "#app/meetings/meeting-rules.ts";
import { endOverduePayment, orUnsent, requestOrderPayment } from "#app/payments/collect/request-payment.server.ts";
import { closedOrder, orderedFrom } from "#app/payments/collect/order-payment-texts.ts";
import { unpaidText, UNSEEN_TEXT, UNSENT_TEXT } from "#app/payments/payment-texts.ts";
import type { Services } from "#app/request/services.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { passOn } from "#app/ui/feedback/no-answer.ts";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import type { IconName } from "#app/ui/pictures/icon-names.ts";
import { EmptyState } from "#app/ui/feedback/state.tsx";
import { useFormAnswer } from "#app/ui/forms/use-form-answer.ts";

export function meta() {
  return pageMeta("Complete Your Payment");
}

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const viewer = requireViewer(context);
  const services = context.get(servicesContext);
  const { db, now } = services;
  const [found, reserved, meeting] = await Promise.all([
    findOrderForBuyer(db, params.orderId, viewer.id),
    findReservedItem(db, params.orderId),
    findCheckoutMeeting(services, params.orderId, viewer.id),
  ]);
  if (!found) throw data(null, { status: 404 });
  // An open page notices when its payment completes, says so, and continues to the order.
  const opened = !new URL(request.url).pathname.endsWith(".data");
  if (opened && found.order.paymentStatus === "completed") throw redirect(confirmationPath(params.orderId));
  const { order, items } = found;
  return {
    ...found,
    // Their texts stay out of the page's script.
    closed: closedOrder(order, items),
    back: orderedFrom(order, items),
    unpaidText: unpaidText(order),
    undeliverable: refuseDeliveryBy(items, meeting.askedBy),
    reserved,
    meeting,
    readAt: now(),
    phone: viewer.payingPhone ?? viewer.phone,
    remembers: viewer.payingPhone !== null,
  };
}

const tick = z
  .literal("on")
  .optional()
  .transform((value) => value === "on");

const fields = {
  option: z.enum(["pickup", "delivery"]),
  pickupConfirmed: tick,
  address: z.string().max(ADDRESS_MAX_LENGTH).default(""),
  instructions: z.string().max(INSTRUCTIONS_MAX_LENGTH).default(""),
  // The meeting that the buyer suggests; all empty for none.
  point: z.string().max(100).default(""),
  otherPlace: z.string().max(500).default(""),
  day: z.string().max(20).default(""),
  time: z.string().max(20).default(""),
};
const form = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("pay"), ...fields, phone: z.string().max(40).default(""), remember: tick }),
  z.object({ intent: z.literal("confirm"), ...fields }),
  // `asked`: the phone that the page is waiting for.
  z.object({ intent: z.literal("change-number"), asked: z.string().max(40) }),
]);

const TEXTS = {
  sent: "Payment request sent. Please check your phone for the M-Pesa prompt.",
  lost: "No checkout request ID received. If a prompt appears, enter your PIN.",
  failed: "Failed to initiate payment. Please try again.",
  broken: `Payment initiation failed. ${UNSEEN_TEXT}`,
} as const;

export async function action({ request, params, context }: Route.ActionArgs) {
  const parsed = form.safeParse(Object.fromEntries(await request.formData()));
  if (!parsed.success) return data<Answered>({ ok: false, message: TEXTS.failed }, 400);
  const unsent = data<Answered>({ ok: false, unsure: true, message: UNSENT_TEXT, ...typedIn(parsed.data) }, 503);
  // For what is saved before the request: the delivery and the meeting.
  return orUnsent(context.get(servicesContext), unsent, () => act({ params, context }, parsed.data));
}

type Sent = z.infer<typeof form>;
type Answered = CheckoutResult & { values?: CheckoutValues & Partial<MeetingValues> };

/** What was typed, to fill in the form again. */
function typedIn(sent: Sent): { values?: CheckoutValues & MeetingValues } {
  return sent.intent === "change-number" ? {} : { values: { phone: "", remember: false, ...sent } };
}

async function act({ params, context }: Pick<Route.ActionArgs, "params" | "context">, sent: Sent) {
  if (sent.intent === "change-number") return changeNumber(context, params.orderId, sent.asked);
  const values: CheckoutValues & MeetingValues = { phone: "", remember: false, ...sent };
  const viewer = requireViewer(context);
  const services = context.get(servicesContext);
  const free = sent.intent === "confirm";
  const meeting = await readMeeting(services, { orderId: params.orderId, userId: viewer.id, values });
  const errors = { ...refuseCheckout(values, { free }), ...meeting.errors };
  const [firstError] = Object.values(errors);
  if (firstError) return data<Answered>({ ok: false, message: firstError, errors, values }, 400);

  if (!(await mayAskForPayment(services.limits, { userId: viewer.id, address: context.get(requestContext).address })))
    return data<Answered>({ ok: false, message: TOO_MANY_REQUESTS, values }, 429);
  // The seller of this order may be another one than the seller whose code it is.
  for (const field of ["address", "instructions", "otherPlace"] as const)
    if (await givesCodeAway(services, viewer.id, [values[field]]))
      return data<Answered>({ ok: false, message: OWN_CODE_TEXT, errors: { [field]: OWN_CODE_TEXT }, values }, 400);
  const phone = readPhone(values.phone);
  if (!free) await endOverduePayment(services, { orderId: params.orderId, userId: viewer.id });
  const saved = await saveDelivery(services, {
    orderId: params.orderId,
    userId: viewer.id,
    choice: values,
    phone: phone.ok ? phone.phone : null,
  });
  if (!saved.ok && saved.code === "no_delivery")
    return data<Answered>({ ok: false, message: NO_DELIVERY_ERROR, values: { ...values, option: "pickup" } }, 409);

  await saveCheckoutMeeting(services, {
    orderId: params.orderId,
    userId: viewer.id,
    suggestion: meeting.suggestion,
  });
  if (free) return confirm(context, params.orderId);
  if (!phone.ok)
    return data<Answered>({ ok: false, message: phone.error, errors: { phone: phone.error }, values }, 400);
  await rememberPayingPhone(services, viewer, values.remember ? phone.phone : null);
  const result = await tryToRequest(services, {
    orderId: params.orderId,
    userId: viewer.id,
    phone: phone.phone,
    isSaved: saved.ok,
  });
  if (!result) return data<Answered>({ ok: false, unsure: true, message: TEXTS.broken, values }, 500);
  if (result.ok && result.kind === "already_paid") return redirect(confirmationPath(params.orderId));
  if (result.ok) return data<Answered>({ ok: true, message: result.checkoutRequestId ? TEXTS.sent : TEXTS.lost }, 200);
  if (result.code === "not_found") throw data(null, { status: 404 });
  if (result.code === "unsent") return data<Answered>({ ok: false, unsure: true, message: result.error, values }, 503);
  return data<Answered>(
    { ok: false, message: result.error || TEXTS.failed, values },
    result.code === "refused" ? 502 : 409,
  );
}

/** The meeting that the buyer suggests, or what is wrong with it. Nobody has to suggest one. */
async function readMeeting(
  services: Services,
  { orderId, userId, values }: { orderId: string; userId: string; values: CheckoutValues & MeetingValues },
): Promise<{ suggestion: Suggestion | null; errors?: MeetingErrors }> {
  if (values.option !== "pickup" || isEmptySuggestion(values)) return { suggestion: null };
  const places = await findCheckoutMeeting(services, orderId, userId);
  const read = readSuggestion(values, places, services.now());
  return read.ok ? { suggestion: read.suggestion } : { suggestion: null, errors: read.errors };
}

/**
 * Null after an unexpected error. We can't know then whether the prompt was sent, so the order waits as after any
 * request.
 */
async function tryToRequest(services: Services, input: Parameters<typeof requestOrderPayment>[1]) {
  try {
    return await requestOrderPayment(services, input);
  } catch (error) {
    services.log({ event: "payment_request_failed", level: "error", orderId: input.orderId, error: String(error) });
    return null;
  }
}

/**
 * When no answer of ours arrives, the screen keeps what was typed. Pressing again finds the request that is already
 * open.
 */
export function clientAction({ serverAction }: Route.ClientActionArgs) {
  return passOn(serverAction, () => ({ ok: false, unsure: true, message: UNSEEN_TEXT }) satisfies CheckoutResult);
}

/** Leads back to the checkout, which shows where the payment stands now: abandoned, or paid this very moment. */
async function changeNumber(context: Route.ActionArgs["context"], orderId: string, phone: string) {
  const viewer = requireViewer(context);
  const services = context.get(servicesContext);
  if (!(await services.limits.write(viewer.id))) return data<Answered>({ ok: false, message: TOO_MANY_REQUESTS }, 429);
  await abandonPayment(services, { userId: viewer.id, orderId, phone });
  return redirect(`/checkout/${orderId}`);
}

async function confirm(context: Route.ActionArgs["context"], orderId: string) {
  const services = context.get(servicesContext);
  const result = await confirmFreeOrder(services, { orderId, buyer: requireViewer(context) });
  if (!result.ok && result.code === "not_found") throw data(null, { status: 404 });
  if (!result.ok) return data<Answered>({ ok: false, message: "error" in result ? result.error : TEXTS.failed }, 409);
  services.drainOutbox();
  return redirect(confirmationPath(orderId));
}

function confirmationPath(orderId: string): string {
  return `/order-confirmation/${orderId}`;
}

export default function Checkout({ loaderData, actionData }: Route.ComponentProps) {
  const answer = useFormAnswer(actionData);
  const { closed, meeting, readAt } = loaderData;
  if (closed)
    return (
      <ClosedState
        icon={closed.icon}
        title={closed.title}
        sentence={closed.sentence}
        action={<LinkButton to={closed.next.to}>{closed.next.label}</LinkButton>}
      />
    );
  const typed = answer && "values" in answer ? answer.values : undefined;
  return (
    <CheckoutView
      key={loaderData.order.id}
      {...loaderData}
      result={answer}
      renderMeeting={(errors) => <CheckoutMeetingFields {...meeting} typed={typed} errors={errors} now={readAt} />}
    />
  );
}

/** Shown when the order can't be paid any more. */
function ClosedState(said: { icon: IconName; title: string; sentence: string; action: ReactNode }) {
  return (
    <div className="page">
      <EmptyState level={1} {...said} />
    </div>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return (
    <OrderFailure
      paying
      error={error}
      sentence="Order not found. Please return to your cart and try again."
      action={<LinkButton to="/cart">Return to Cart</LinkButton>}
      failed="Failed to load order information"
    />
  );
}
