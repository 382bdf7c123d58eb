import { data, redirect } from "react-router";
import type { Route } from "./+types/subscription.ts";
import { readPhone } from "#app/accounts/profile/phone.ts";
import { redirectWithFlash } from "#app/platform/flash.server.ts";
import { TOO_MANY_REQUESTS } from "#app/platform/rate-limit-rules.ts";
import { requestContext, requireViewer, servicesContext } from "#app/request/context.ts";
import { PayPlanView, type PlanAnswer, PlansView } from "#app/payments/components/plans-view.tsx";
import { abandonPayment } from "#app/payments/collect/abandon-payment.server.ts";
import { mayAskForPayment } from "#app/payments/collect/payment-limits.ts";
import { UNSEEN_TEXT, UNSENT_TEXT } from "#app/payments/payment-texts.ts";
import { findPlans } from "#app/payments/collect/plan-payment.server.ts";
import { orUnsent, requestPlanPayment } from "#app/payments/collect/request-payment.server.ts";
import { NO_LISTING_TEXT, readPlanId } from "#app/shops/plan-rules.ts";
import { passOn } from "#app/ui/feedback/no-answer.ts";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { UnseenPayment } from "#app/ui/feedback/failure.tsx";
import { useFormAnswer } from "#app/ui/forms/use-form-answer.ts";

export function meta() {
  return pageMeta("Subscription");
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const viewer = requireViewer(context);
  const { searchParams } = new URL(request.url);
  const plan = readPlanId(searchParams.get("plan"));
  return {
    plan,
    phone: viewer.payingPhone ?? viewer.phone,
    ...(await findPlans(context.get(servicesContext), viewer.id, plan, searchParams.get("payment"))),
  };
}

const TEXTS = {
  sent: "Payment request sent. Please check your phone for the M-Pesa prompt.",
  lost: "No checkout request ID received. If a prompt appears, enter your PIN.",
  failed: "Failed to initiate payment. Please try again.",
} as const;

export async function action({ request, context }: Route.ActionArgs) {
  const form = await request.formData();
  const typed = String(form.get("phone") ?? "").slice(0, 40);
  const unsent = data<PlanAnswer>({ message: UNSENT_TEXT, unsure: true, phone: typed }, 503);
  return orUnsent(context.get(servicesContext), unsent, () => act({ request, context }, form, typed));
}

async function act({ request, context }: Pick<Route.ActionArgs, "request" | "context">, form: FormData, typed: string) {
  const { searchParams } = new URL(request.url);
  const plan = readPlanId(searchParams.get("plan"));
  const refuse = (status: number, answer: Omit<PlanAnswer, "phone">) =>
    data<PlanAnswer>({ ...answer, phone: typed }, status);
  if (!plan) return refuse(400, { message: TEXTS.failed });
  const viewer = requireViewer(context);
  const services = context.get(servicesContext);
  if (form.get("intent") === "change-number") {
    if (!(await services.limits.write(viewer.id))) return refuse(429, { message: TOO_MANY_REQUESTS });
    const { payment } = await findPlans(services, viewer.id, plan, searchParams.get("payment"));
    if (!payment) return redirect(`/subscription?plan=${plan}`);
    const { subscriptionId } = payment;
    await abandonPayment(services, { userId: viewer.id, subscriptionId, phone: String(form.get("asked") ?? "") });
    return redirect(`/subscription?plan=${plan}&payment=${subscriptionId}`);
  }

  const phone = readPhone(typed);
  if (!phone.ok) return refuse(400, { message: phone.error, errors: { phone: phone.error } });
  if (!(await mayAskForPayment(services.limits, { userId: viewer.id, address: context.get(requestContext).address })))
    return refuse(429, { message: TOO_MANY_REQUESTS });
  const { own } = await findPlans(services, viewer.id, plan, null);
  if (!own.hasListing) return refuse(409, { message: NO_LISTING_TEXT });
  const result = await requestPlanPayment(services, { userId: viewer.id, plan, phone: phone.phone });
  if (!result.ok && result.code === "unsent") return refuse(503, { message: result.error, unsure: true });
  if (!result.ok) return refuse(result.code === "refused" ? 502 : 409, { message: result.error || TEXTS.failed });
  const text = result.checkoutRequestId === null ? TEXTS.lost : TEXTS.sent;
  return redirectWithFlash(services, `/subscription?plan=${plan}&payment=${result.payableId}`, {
    kind: "info",
    text,
    duration: 3000,
  });
}

/** A lost answer keeps the number that was typed. Pressing again finds the request that is already open. */
export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  const typed = String((await request.clone().formData()).get("phone") ?? "");
  return passOn(serverAction, (): PlanAnswer => ({ message: UNSEEN_TEXT, unsure: true, phone: typed }));
}

export default function Subscription({ loaderData, actionData }: Route.ComponentProps) {
  const answer = useFormAnswer(actionData);
  const { plan, own, payment, phone } = loaderData;
  if (!plan) return <PlansView own={own} />;
  return <PayPlanView key={plan} plan={plan} own={own} payment={payment} phone={phone} answer={answer} />;
}

export function ErrorBoundary() {
  return (
    <div className="page">
      <UnseenPayment title="We couldn't load the plans" />
    </div>
  );
}
