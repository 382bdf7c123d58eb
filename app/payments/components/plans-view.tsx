import "./plans.css";
import { type FormEvent, type ReactNode, useEffect, useRef } from "react";
import { Form } from "react-router";
import { displayPhone, readPhone } from "#app/accounts/phone.ts";
import type { PlanPayment } from "#app/payments/plan-payment.server.ts";
import { PLAN_IDS, PLANS, type PlanId, planPrice } from "#app/shops/plan-rules.ts";
import type { OwnPlans } from "#app/shops/subscriptions.server.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { Callout } from "#app/ui/callout.tsx";
import { formatDate, formatDateTime } from "#app/ui/dates.ts";
import { Icon } from "#app/ui/icon.tsx";
import { Badge } from "#app/ui/label-badge.tsx";
import { LiveRegion } from "#app/ui/live-region.tsx";
import { formatKes } from "#app/ui/money.ts";
import { PageHeader } from "#app/ui/page-header.tsx";
import { SubmitButton } from "#app/ui/submit-button.tsx";
import { SummaryRows } from "#app/ui/summary-rows.tsx";
import { toast } from "#app/ui/toast.ts";
import { useFieldErrors } from "#app/ui/use-field-errors.ts";
import { usePolling } from "#app/ui/use-polling.ts";
import { PaymentProgress } from "./payment-progress.tsx";
import { PhoneField } from "./phone-field.tsx";

/** The three plans, and what of them runs already. */
export function PlansView({ own }: { own: OwnPlans }) {
  return (
    <div className="page stack stack--loose">
      <PageHeader
        title="Get seen first"
        lead="Put your shop in front of the whole campus. Paid once by M-Pesa; nothing renews by itself."
        back={{ to: "/profile", label: "Profile" }}
      />
      <RunningPlans own={own} />
      <ul className="plans" role="list">
        {PLAN_IDS.map((id) => (
          <li key={id} className="plan card" data-pro={PLANS[id].pro || undefined}>
            <div className="row row--apart">
              <h2>{PLANS[id].name}</h2>
              {PLANS[id].pro && <Badge tone="gold">Pro Seller</Badge>}
            </div>
            <p className="plan__price">
              {planPrice(id)} <span className="quiet small">for {PLANS[id].length}</span>
            </p>
            <ul className="plan__features" role="list">
              {PLANS[id].features.map((feature) => (
                <li key={feature}>
                  <Icon name="check" size="small" />
                  {feature}
                </li>
              ))}
            </ul>
            <LinkButton
              to={`/subscription?plan=${id}`}
              variant={PLANS[id].pro ? "solid" : "soft"}
              size="large"
              wide
              aria-label={`Subscribe to the ${PLANS[id].name}`}
            >
              Subscribe
            </LinkButton>
          </li>
        ))}
      </ul>
      <p className="quiet small plans__note">
        {own.isSeller
          ? "Featured places need at least one active listing to show."
          : "You can subscribe now and start selling later: the Pro Seller mark and your featured place show once you have listings."}
      </p>
    </div>
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
        <li>Paying again adds the new time to the old.</li>
      </ul>
    </Callout>
  );
}

/** What the press of the pay button came to, where it did not go through. */
export interface PlanAnswer {
  message: string;
  errors?: { phone?: string };
  /** As typed. */
  phone: string;
}

interface PayPlanViewProps {
  plan: PlanId;
  own: OwnPlans;
  /** Null until it is asked for. */
  payment: PlanPayment | null;
  /** The profile's. */
  phone: string | null;
  answer: PlanAnswer | null;
}

/** How often the page asks for news, ms. */
const POLL_MS = 5000;

/** One plan and the M-Pesa phone that pays it; the same steps as at checkout. */
export function PayPlanView({ plan, own, payment, phone, answer }: PayPlanViewProps) {
  const status = payment?.paymentStatus ?? "pending";
  const errors = useFieldErrors(answer?.errors);
  const { name, length, features } = PLANS[plan];
  const locked = status === "processing";
  usePolling(POLL_MS, status === "processing");
  useArrival(payment);
  useEffect(() => {
    if (answer) toast.error(answer.message);
  }, [answer]);

  function check(event: FormEvent<HTMLFormElement>) {
    const typed = readPhone(String(new FormData(event.currentTarget).get("phone") ?? ""));
    if (typed.ok) return;
    event.preventDefault();
    errors.show({ phone: typed.error });
  }
  return (
    <div className="page">
      <PageHeader
        title={name}
        lead={`${planPrice(plan)} for ${length}`}
        back={{ to: "/subscription", label: "All plans" }}
      />
      <LiveRegion
        text={
          status === "completed"
            ? "Payment completed successfully!"
            : status === "processing"
              ? "Waiting for the payment"
              : ""
        }
      />
      <div className="stack stack--loose">
        {payment && (
          <PaymentProgress
            payment={payment}
            next={status === "completed" ? <Paid plan={plan} own={own} endsAt={payment.endsAt} /> : null}
          />
        )}
        {answer && !answer.errors && status !== "failed" && (
          <Callout tone="red" role="alert">
            {answer.message}
          </Callout>
        )}
        {status === "completed" ? (
          <div className="row">
            <LinkButton to="/myshop" size="large">
              Open My Shop
            </LinkButton>
            <LinkButton to="/subscription" size="large" variant="soft" tone="gray">
              All plans
            </LinkButton>
          </div>
        ) : (
          <div className="checkout">
            <aside className="checkout__summary card stack">
              <h2>What you get</h2>
              <ul className="plan__features" role="list">
                {features.map((feature) => (
                  <li key={feature}>
                    <Icon name="check" size="small" />
                    {feature}
                  </li>
                ))}
              </ul>
              <SummaryRows
                rows={[
                  { label: "Runs", value: runs(plan, own) },
                  { label: "Total", value: formatKes(PLANS[plan].price), total: true },
                ]}
              />
            </aside>
            <Form
              method="post"
              className="stack stack--loose"
              noValidate
              preventScrollReset
              onSubmit={check}
              {...errors.form}
            >
              <PhoneField
                key={payment?.subscriptionId}
                value={answer?.phone ?? displayPhone(payment?.phoneNumber ?? phone ?? "")}
                error={errors.of("phone")}
                locked={locked}
              />
              <div className="sticky-bar">
                <SubmitButton busyLabel="Sending the request..." disabled={locked}>
                  {locked
                    ? payment?.paymentReview
                      ? "Payment under review"
                      : "Waiting for your PIN..."
                    : `Pay ${formatKes(PLANS[plan].price)} with M-Pesa`}
                </SubmitButton>
              </div>
            </Form>
          </div>
        )}
      </div>
    </div>
  );
}

/** "30 days", or from when where one of its kind still runs. */
function runs(plan: PlanId, own: OwnPlans): string {
  const until = PLANS[plan].pro ? own.proUntil : own.featuredUntil;
  return until === null ? PLANS[plan].length : `${PLANS[plan].length}, from ${formatDate(until)}`;
}

function Paid({ plan, own, endsAt }: { plan: PlanId; own: OwnPlans; endsAt: number | null }): ReactNode {
  const until = endsAt === null ? "" : ` until ${formatDateTime(endsAt)}`;
  return (
    <>
      {PLANS[plan].pro ? `You are a Pro Seller and your shop is featured${until}.` : `Your shop is featured${until}.`}
      {!own.isSeller && " Post a listing, and it shows."}
    </>
  );
}

/** Says so when the payment completes in sight. */
function useArrival(payment: PlanPayment | null): void {
  const completed = payment?.paymentStatus === "completed";
  const receipt = payment?.mpesaReceipt;
  const seen = useRef(completed);
  useEffect(() => {
    if (completed && !seen.current)
      toast.success(receipt ? `Payment successful! M-Pesa receipt: ${receipt}` : "Payment completed successfully!", {
        duration: 3000,
      });
    seen.current = completed;
  }, [completed, receipt]);
}
