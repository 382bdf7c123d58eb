import "./offers.css";
import { useMemo } from "react";
import { useFetcher } from "react-router";
import { agreedFeeText, feesOf, typedFeeText } from "#app/catalogue/fees/fee-rules.ts";
import { OFFER } from "#app/db/states/offer.ts";
import { amountDue, type OfferStep, timeLeft } from "#app/offers/offer-rules.ts";
import { offerStatus } from "#app/offers/offer-texts.ts";
import type { LiveOffer } from "#app/live/live-events.ts";
import { AskingForm, type Question } from "#app/ui/forms/asking-form.tsx";
import { AmountField } from "#app/ui/forms/amount-field.tsx";
import { withWholeAmounts } from "#app/ui/amounts.tsx";
import { StatusBadge } from "#app/ui/badge.tsx";
import type { ButtonProps } from "#app/ui/button.tsx";
import { Callout } from "#app/ui/feedback/callout.tsx";
import { Field } from "#app/ui/forms/field.tsx";
import { formatKes } from "#app/ui/money.ts";
import { pressOf, SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { useFieldErrors } from "#app/ui/forms/use-field-errors.ts";
import { useSendPath } from "#app/ui/forms/send-path.ts";
import { useElapsed } from "#app/ui/feedback/use-elapsed.ts";
import { type ActionResult, useResultToast } from "#app/ui/feedback/use-result-toast.ts";

/** The answer to a button of the card. */
export interface OfferCardAnswer extends ActionResult {
  /** What is wrong with the price of a counter-offer, and what was typed. */
  amountError?: string;
  typed?: string;
  /** KES: what it costs now, after a press that saw another price. */
  due?: number;
}

interface OfferCardProps {
  offer: LiveOffer;
  viewerId: string;
  /** Ms since 1970, when the server made the page. */
  now: number;
  /** The last answer, for browsers without scripts. */
  answer?: OfferCardAnswer | null;
}

/** How often the time left is updated, in ms. It shows minutes. */
const TICK_MS = 10_000;

/** An offer as it is now: its price, whose turn it is and until when, and the buttons of the viewer. */
export function OfferCard({ offer, viewerId, now, answer = null }: OfferCardProps) {
  const fetcher = useFetcher<OfferCardAnswer>();
  const left = Math.max(0, offer.expiresAt - now - useElapsed(now, TICK_MS));
  // What is wrong with a price stands at its field.
  useResultToast(fetcher.data?.amountError ? undefined : fetcher.data);
  const role = viewerId === offer.buyerId ? "buyer" : "seller";
  const isActive = OFFER.isActive(offer.state);
  const status = offerStatus(offer, role);
  const shown = fetcher.data ?? answer;
  const due = shown?.due ?? amountDue(offer);
  const fees = feesOf(offer.feeRule, due);
  const fee = isActive && agreedFeeText(role, due, fees);
  return (
    <section className="card offer-card" aria-label="Offer">
      <p className="offer-card__line">
        <span className="offer-card__amount">{formatKes(due)}</span>
        <StatusBadge tone={status.tone}>{status.label}</StatusBadge>
      </p>
      {offer.counterAmount !== null && <p className="quiet small">Offered: {formatKes(offer.amount)}</p>}
      {status.sentence && <p className="small">{status.sentence}</p>}
      {fee && <p className="small">{withWholeAmounts(fee)}</p>}
      {isActive && (
        // Screen readers don't announce each tick.
        <p className="small quiet" aria-live="off">
          {left > 0 ? `Time left: ${timeLeft(left)}` : "Time's up"}
        </p>
      )}
      {answer && !answer.amountError && !fetcher.data && (
        <Callout tone={answer.ok ? "green" : "red"} role="alert">
          {answer.message}
        </Callout>
      )}
      {isActive && left > 0 && (
        <Actions offer={offer} role={role} due={due} toPay={due + fees.buyerFee} fetcher={fetcher} shown={shown} />
      )}
    </section>
  );
}

interface ActionsProps {
  offer: LiveOffer;
  role: "buyer" | "seller";
  due: number;
  /** KES: what the buyer pays, with a fee of theirs. */
  toPay: number;
  fetcher: ReturnType<typeof useFetcher<OfferCardAnswer>>;
  shown: OfferCardAnswer | null;
}

function Actions({ offer, role, due, toPay, fetcher, shown }: ActionsProps) {
  const button = (intent: OfferStep | "pay", label: string, variant?: ButtonProps["variant"], confirm?: Question) => (
    <StepButton {...{ fetcher, due, intent, label, variant, confirm }} offerId={offer.id} />
  );
  switch (`${role} ${offer.state}`) {
    case "seller open":
      return (
        <>
          <div className="offer-card__buttons">
            {button("seller_accepted", `Accept ${formatKes(due)}`)}
            {button("seller_declined", "Decline", "soft")}
          </div>
          <Counter fetcher={fetcher} offer={offer} shown={shown} />
        </>
      );
    case "buyer countered":
      return (
        <div className="offer-card__buttons">
          {button("buyer_accepted", `Accept ${formatKes(due)}`)}
          {button("buyer_declined", "Decline", "soft")}
        </div>
      );
    case "buyer accepted":
      return (
        <div className="offer-card__buttons">
          {button("pay", `Pay ${formatKes(toPay)}`)}
          {button("withdrawn", "Withdraw", "soft", {
            title: "Give up this price?",
            description: `We stop keeping one for you at ${formatKes(due)}. You'd have to make a new offer, and the seller may not accept it.`,
            confirmLabel: "Yes, Withdraw",
            cancelLabel: "Keep My Price",
            destructive: true,
          })}
        </div>
      );
    case "buyer open":
      return <div className="offer-card__buttons">{button("withdrawn", "Withdraw Offer", "soft")}</div>;
    default:
      return null;
  }
}

function StepButton({
  fetcher,
  offerId,
  due,
  intent,
  label,
  variant,
  confirm,
}: {
  fetcher: ActionsProps["fetcher"];
  offerId: string;
  due: number;
  intent: OfferStep | "pay";
  label: string;
  variant: ButtonProps["variant"];
  confirm: Question | undefined;
}) {
  const action = useSendPath(`/offers/${offerId}`);
  return (
    <AskingForm fetcher={fetcher} action={action} confirm={confirm}>
      <input type="hidden" name="intent" value={intent} />
      {intent === "pay" && <input type="hidden" name="amount" value={due} />}
      <SubmitButton variant={variant} {...pressOf(fetcher, intent)} busyLabel="One moment...">
        {label}
      </SubmitButton>
    </AskingForm>
  );
}

/** The seller names another price. Closed until it is needed. */
function Counter({ fetcher, offer, shown }: Pick<ActionsProps, "fetcher" | "offer" | "shown">) {
  const errors = useFieldErrors(useMemo(() => (shown?.amountError ? { amount: shown.amountError } : null), [shown]));
  const action = useSendPath(`/offers/${offer.id}`);
  return (
    <details className="offer-card__counter" open={shown?.amountError ? true : undefined}>
      <summary>Name another price</summary>
      <fetcher.Form method="post" action={action} className="stack stack--tight" noValidate {...errors.form}>
        <input type="hidden" name="intent" value="countered" />
        <Field label="Your price" error={errors.of("amount")} hint={typedFeeText(offer.feeRule) ?? undefined}>
          <AmountField name="amount" defaultValue={shown?.typed ?? ""} aria-required />
        </Field>
        <SubmitButton variant="soft" {...pressOf(fetcher, "countered")} busyLabel="Sending...">
          Send Counter-offer
        </SubmitButton>
      </fetcher.Form>
    </details>
  );
}
