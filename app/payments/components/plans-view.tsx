import "./plans.css";
import { type FormEvent, type ReactNode, useEffect, useRef } from "react";
import { Form, useNavigation } from "react-router";
import { displayPhone, readPhone } from "#app/accounts/profile/phone.ts";
import { OWN_LABELS } from "#app/platform/label-rules.ts";
import type { PlanPayment } from "#app/payments/collect/plan-payment.server.ts";
import { unpaidText } from "#app/payments/payment-texts.ts";
import { NO_LISTING_TEXT, PLAN_IDS, PLANS, type PlanId, planPrice } from "#app/shops/plan-rules.ts";
import type { OwnPlans } from "#app/shops/subscriptions.server.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { Callout } from "#app/ui/feedback/callout.tsx";
import { formatDate, formatDateTime } from "#app/ui/dates.ts";
import { Icon } from "#app/ui/pictures/icon.tsx";
import { Badge } from "#app/ui/label-badge.tsx";
import { LiveRegion } from "#app/ui/feedback/live-region.tsx";
import { formatKes } from "#app/ui/money.ts";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { SummaryRows } from "#app/ui/summary-rows.tsx";
import { TextLink } from "#app/ui/text-link.tsx";
import { toast } from "#app/ui/feedback/toast.ts";
import { useFieldErrors } from "#app/ui/forms/use-field-errors.ts";
import { usePolling } from "#app/ui/browser/use-polling.ts";
import { useFocusOnPhone } from "./use-focus-on-phone.ts";
import { useUntilSeen } from "./use-until-seen.ts";
import { PaymentProgress } from "./payment-progress.tsx";
import { PhoneField } from "./phone-field.tsx";

/** The three plans, and the running ones. */
export function PlansView({ own }: { own: OwnPlans }) {
  return (
    <div className="page stack stack--loose">
      <PageHeader
        title="Promote your shop"
        lead="Show your shop to the whole campus. You pay once by M-Pesa; plans don't renew automatically."
        back={{ to: "/profile", label: "Profile" }}
      />
      <RunningPlans own={own} />
      <ul className="plans" role="list">
        {PLAN_IDS.map((id) => (
          <li key={id} className="plan card" data-pro={PLANS[id].pro || undefined}>
            <div className="row row--apart">
              <h2>{PLANS[id].name}</h2>
              {PLANS[id].pro && <Badge tone="gold">{OWN_LABELS.badges.pro}</Badge>}
            </div>
            <p className="plan__price">
              {planPrice(id)} <span className="quiet small">for {PLANS[id].length}</span>
            </p>
            <Features plan={id} />
            <LinkButton
              to={`/subscription?plan=${id}`}
              variant={PLANS[id].pro ? "solid" : "soft"}
              wide
              aria-label={`Subscribe to the ${PLANS[id].name}`}
            >
              Subscribe
            </LinkButton>
          </li>
        ))}
      </ul>
      <p className="quiet small plans__note">
        A plan promotes what you have for sale, so you need at least one active listing to subscribe.{" "}
        <TextLink to="/invite">Bring a friend</TextLink>, and you each get a week for free.
      </p>
    </div>
  );
}

function Features({ plan }: { plan: PlanId }) {
  return (
    <ul className="plan__features" role="list">
      {PLANS[plan].features.map((feature) => (
        <li key={feature}>
          <Icon name="check" size="small" />
          {feature}
        </li>
      ))}
    </ul>
  );
}

function RunningPlans({ own }: { own: OwnPlans }) {
  const { proUntil, featuredUntil } = own;
  if (proUntil === null && featuredUntil === null) return null;
  return (
    <Callout tone="green" title="Running now">
      <ul role="list">
        {featuredUntil !== null && <li>Your shop is featured until {formatDateTime(featuredUntil)}.</li>}
        {proUntil !== null && <li>You are a Pro Seller until {formatDateTime(proUntil)}.</li>}
        <li>If you pay again, we add the new time to what's left.</li>
      </ul>
    </Callout>
  );
}

/** Why the payment couldn't be requested. */
export interface PlanAnswer {
  message: string;
  /** We can't see where the payment stands. The page looks until it can. */
  unsure?: boolean;
  errors?: { phone?: string };
  /** As typed. */
  phone: string;
}

interface PayPlanViewProps {
  plan: PlanId;
  own: OwnPlans;
  /** Null until a payment is requested. */
  payment: PlanPayment | null;
  /** The remembered one, or the one in the profile. */
  phone: string | null;
  answer: PlanAnswer | null;
}

/** How often the page asks for the payment's state, in ms. */
const POLL_MS = 5000;

/** One plan and the M-Pesa number that pays it. The steps are the same as at checkout. */
export function PayPlanView({ plan, own, payment, phone, answer }: PayPlanViewProps) {
  const status = payment?.paymentStatus ?? "pending";
  const unseen = useUntilSeen(answer, status, own);
  const { name, length } = PLANS[plan];
  const locked = status === "processing";
  const sending = useNavigation().formMethod === "POST";
  usePolling(POLL_MS, status === "processing" || unseen?.unsure === true);
  useArrival(payment);
  useEffect(() => {
    if (answer) toast.error(answer.message);
  }, [answer]);

  return (
    <div className="page">
      <PageHeader
        title={name}
        lead={`${formatKes(PLANS[plan].price)} for ${length}`}
        back={{ to: "/subscription", label: "All plans" }}
      />
      <LiveRegion text={statusText(payment)} />
      <div className="stack stack--loose">
        {payment && !(sending && status === "failed") && (
          <PaymentProgress
            payment={payment}
            amount={formatKes(payment.amount)}
            unpaidText={unpaidText(payment)}
            next={status === "completed" ? <Paid plan={plan} endsAt={payment.endsAt} /> : null}
          />
        )}
        {unseen && !unseen.errors && (unseen.unsure || status !== "failed") && (
          <Callout tone="red" role="alert">
            {unseen.message}
          </Callout>
        )}
        {status === "completed" ? (
          <div className="row">
            <LinkButton to="/myshop">Open My Shop</LinkButton>
            <LinkButton to="/subscription" variant="soft">
              All plans
            </LinkButton>
          </div>
        ) : !own.hasListing && !locked ? (
          <ListingFirst />
        ) : (
          <div className="checkout">
            <WhatYouGet plan={plan} own={own} />
            <PayForm plan={plan} payment={payment} phone={phone} answer={answer} />
          </div>
        )}
      </div>
    </div>
  );
}

function statusText(payment: PlanPayment | null): string {
  if (payment?.paymentStatus === "completed") return "Payment completed successfully!";
  if (payment?.paymentStatus !== "processing") return "";
  return payment.paymentReview ? "We are checking your payment" : "Waiting for the payment";
}

function ListingFirst() {
  return (
    <>
      <Callout tone="gold" icon="store" title="Post a listing first">
        {NO_LISTING_TEXT}
      </Callout>
      <div className="row">
        <LinkButton to="/add-product">Post a Listing</LinkButton>
      </div>
    </>
  );
}

function WhatYouGet({ plan, own }: Pick<PayPlanViewProps, "plan" | "own">) {
  return (
    <aside aria-label="Summary" className="checkout__summary card stack">
      <h2>What you get</h2>
      <Features plan={plan} />
      <SummaryRows
        rows={[
          { label: "Runs", value: runs(plan, own) },
          { label: "Total", value: formatKes(PLANS[plan].price), total: true },
        ]}
      />
    </aside>
  );
}

function PayForm({ plan, payment, phone, answer }: Omit<PayPlanViewProps, "own">) {
  const errors = useFieldErrors(answer?.errors);
  const locked = payment?.paymentStatus === "processing";
  useFocusOnPhone(payment, errors.form.ref);

  function check(event: FormEvent<HTMLFormElement>) {
    const typed = readPhone(String(new FormData(event.currentTarget).get("phone") ?? ""));
    if (typed.ok) return;
    event.preventDefault();
    errors.show({ phone: typed.error });
  }
  return (
    <Form method="post" className="stack stack--loose" noValidate preventScrollReset onSubmit={check} {...errors.form}>
      <PhoneField
        key={payment?.subscriptionId}
        value={answer?.phone ?? displayPhone(payment?.phoneNumber ?? phone ?? "")}
        error={errors.of("phone")}
        locked={locked}
      />
      <div className="sticky-bar">
        <SubmitButton name="intent" value="pay" busyLabel="Sending the request..." disabled={locked}>
          {locked
            ? payment?.paymentReview
              ? "Checking your payment..."
              : "Waiting for your PIN..."
            : `Pay ${formatKes(PLANS[plan].price)} with M-Pesa`}
        </SubmitButton>
      </div>
    </Form>
  );
}

/** "30 days", with its start if a plan of the same kind is still running. */
function runs(plan: PlanId, own: OwnPlans): string {
  const until = PLANS[plan].pro ? own.proUntil : own.featuredUntil;
  return until === null ? PLANS[plan].length : `${PLANS[plan].length}, from ${formatDate(until)}`;
}

function Paid({ plan, endsAt }: { plan: PlanId; endsAt: number | null }): ReactNode {
  const until = endsAt === null ? "" : ` until ${formatDateTime(endsAt)}`;
  return (
    <>
      {PLANS[plan].pro ? `You are a Pro Seller and your shop is featured${until}.` : `Your shop is featured${until}.`}
    </>
  );
}

/** Shows a message when the payment completes while the page is open. */
function useArrival(payment: PlanPayment | null): void {
  const completed = payment?.paymentStatus === "completed";
  const receipt = payment?.receipt;
  const seen = useRef(completed);
  useEffect(() => {
    if (completed && !seen.current)
      toast.success(receipt ? `Payment successful! M-Pesa receipt: ${receipt}` : "Payment completed successfully!", {
        duration: 3000,
      });
    seen.current = completed;
  }, [completed, receipt]);
}
