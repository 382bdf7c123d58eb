import type { RefObject } from "react";
import { capitalized } from "#app/platform/word-rules.ts";
import { type DealEvent, SELLER_CANCEL_REASONS } from "#app/db/states/deal.ts";
import { ITEM } from "#app/db/states/item.ts";
import { DealForm, DealMore, NoteField, SeeProblem } from "#app/deals/components/deal-form.tsx";
import { CANCEL_REASONS } from "#app/deals/words/deal-texts.ts";
import { Fold } from "#app/orders/components/fold.tsx";
import { SHIPPING_STEPS } from "#app/orders/order-rules.ts";
import { Button } from "#app/ui/button.tsx";
import { Callout } from "#app/ui/feedback/callout.tsx";
import { RadioCards } from "#app/ui/forms/choice.tsx";
import { formatKes } from "#app/ui/money.ts";
import { Icon } from "#app/ui/pictures/icon.tsx";
import { CodeEntry, type CodeEntryProps, type TypedCode } from "./code-entry.tsx";
import type { SoldItem } from "./sold-item.server.ts";
import type { SoldItemAnswer } from "./sold-item-answer.ts";

export interface SaleStepsProps extends Pick<SoldItem, "item" | "summary"> {
  /** Inside a sentence. */
  buyer: string;
  /** How long the buyer can report a problem; null where they can't. */
  checkTime: string | null;
  result: SoldItemAnswer | null;
  typedCode: RefObject<TypedCode | null>;
}

/** The button of a seller's next step. The message box writes to the buyer, and a meeting is accepted in its card. */
export function SaleStep({ item, summary, buyer, checkTime, result, typedCode }: SaleStepsProps) {
  const canDeliver = summary.actions.includes("delivered");
  const deliver = { item, summary, buyer, checkTime };
  const { step } = summary;
  switch (step.action) {
    case "enter_code":
      return (
        <>
          {step.code === "send" && item.deliveryAddress && (
            <p className="order__address">
              <Icon name="map-pin" size="small" />
              <span>
                {item.deliveryAddress}
                {item.deliveryInstructions && <span className="quiet"> · {item.deliveryInstructions}</span>}
              </span>
            </p>
          )}
          <EnterCode item={item} called={summary.called} isMain result={result} typed={typedCode} />
          {step.code === "send" && <ShipForm item={item} summary={summary} variant="soft" />}
          {canDeliver && <DeliverForm {...deliver} isMain={false} />}
        </>
      );
    // The card of the meeting has the button.
    case "suggest_meeting":
      return null;
    case "ship":
      return <ShipForm item={item} summary={summary} />;
    case "deliver":
      return <DeliverForm {...deliver} isMain />;
    case "accept_cancellation":
      return <CancelAnswer item={item} summary={summary} buyer={buyer} />;
    case "see_problem":
      return <SeeProblem itemId={item.id} label="Answer the Buyer" />;
    default:
      return step.code === "await_agreement" ? (
        <Button wide disabled>
          {SHIPPING_STEPS.waiting_response.action}
        </Button>
      ) : null;
  }
}

/** What else the seller can do with a paid item. */
export function OtherSaleSteps({ item, summary, buyer, checkTime, result, typedCode }: SaleStepsProps) {
  const { step, called } = summary;
  const can = (event: DealEvent) => summary.actions.includes(event);
  return (
    <>
      {summary.codeClosed && (
        <Callout tone="orange" title="The handover code no longer works">
          {summary.codeClosed} Mark it as {called.sent}, and as {called.done} once {called.has}.
        </Callout>
      )}
      {can("code_entered") && step.action !== "enter_code" && (
        <Fold label="Enter the buyer's code" open={result?.codeError !== undefined}>
          <EnterCode item={item} called={summary.called} isMain={false} result={result} typed={typedCode} />
        </Fold>
      )}
      {can("shipped") && step.action !== "ship" && step.code !== "send" && (
        <Fold label={called.sending.ask}>
          <p>{called.sending.text}</p>
          <ShipForm item={item} summary={summary} variant="soft" />
        </Fold>
      )}
      {can("delivered") && step.action === null && (
        <DeliverForm {...{ item, summary, buyer, checkTime }} isMain={false} />
      )}
      {ITEM.hasOpenProblem(item.status) && step.action !== "see_problem" && (
        <SeeProblem itemId={item.id} variant="soft" />
      )}
      {can("cancelled_by_seller") && !can("cancel_accepted") && <CancelSale item={item} buyer={buyer} />}
    </>
  );
}

function EnterCode({
  item,
  ...rest
}: Pick<SaleStepsProps, "item"> & Pick<CodeEntryProps, "called" | "isMain" | "result" | "typed">) {
  return <CodeEntry itemId={item.id} isFree={item.subtotal === 0} {...rest} />;
}

function ShipForm({ item, summary: { called }, variant }: Sale & { variant?: "soft" }) {
  return (
    <DealForm
      itemId={item.id}
      intent="ship"
      label={markLabel(called.sent)}
      busyLabel={`Marking as ${called.sent}...`}
      icon="truck"
      variant={variant}
    />
  );
}

type Sale = Pick<SaleStepsProps, "item" | "summary">;
type StepProps = Sale & Pick<SaleStepsProps, "buyer">;

/** "Mark as Handed Over". */
function markLabel(mark: string): string {
  return `Mark as ${mark.split(" ").map(capitalized).join(" ")}`;
}

/** Marks the item as delivered without the buyer's code. */
function DeliverForm({
  item,
  summary: { called, isOnHold },
  buyer,
  checkTime,
  isMain,
}: StepProps & Pick<SaleStepsProps, "checkTime"> & { isMain: boolean }) {
  const amount = formatKes(item.earned);
  const payout =
    item.subtotal === 0 || isOnHold
      ? ""
      : checkTime === null
        ? ` We then send ${amount} to your M-Pesa.`
        : ` They then have ${checkTime} to report a problem. If they don't, we send ${amount} to your M-Pesa.`;
  return (
    <section className="stack stack--tight">
      <p>
        No code? When {called.has}, mark it as {called.done}.
      </p>
      <DealForm
        itemId={item.id}
        intent="deliver"
        label={markLabel(called.done)}
        busyLabel={`Marking as ${called.done}...`}
        icon="package-check"
        variant={isMain ? "solid" : "soft"}
        confirm={{
          title: `Has it been ${called.done}?`,
          description: `Confirm only when ${called.has}. We email ${buyer}, and this can't be undone.${payout}`,
          confirmLabel: markLabel(called.done).replace("Mark as", "Yes,"),
          cancelLabel: "Not Yet",
        }}
      />
    </section>
  );
}

/** Answers the buyer's request to cancel. */
function CancelAnswer({ item, summary, buyer }: StepProps) {
  return (
    <section className="stack">
      <DealForm
        itemId={item.id}
        intent="accept-cancel"
        label="Accept the Cancellation"
        busyLabel="Cancelling..."
        confirm={{
          title: `Cancel the sale of ${item.name}?`,
          description: `${moneyBack(item.paid, buyer)}${summary.called.dont} This can't be undone.`,
          confirmLabel: "Yes, Cancel the Sale",
          cancelLabel: "Not Yet",
          destructive: true,
        }}
      />
      <DealMore label="I don't want to cancel">
        <DealForm itemId={item.id} intent="decline-cancel" label="Decline" busyLabel="Declining..." variant="soft">
          <NoteField label="Note to the buyer" />
        </DealForm>
      </DealMore>
    </section>
  );
}

function CancelSale({ item, buyer }: Omit<StepProps, "summary">) {
  // After a block the seller may still have it, for others.
  const isBlocked = item.contact === "blocked";
  return (
    <DealMore label="Cancel this sale?">
      <p>
        {moneyBack(item.paid, buyer)}
        {isBlocked ? "It doesn't count against you." : "We also mark the listing as out of stock."}
      </p>
      <DealForm
        itemId={item.id}
        intent="cancel"
        label="Cancel This Sale"
        busyLabel="Cancelling..."
        variant="soft"
        danger
        confirm={{
          title: `Cancel the sale of ${item.name}?`,
          description: `${moneyBack(item.paid, buyer)}We show ${buyer} your reason${isBlocked ? "" : ", and mark the listing as out of stock"}. This can't be undone.`,
          confirmLabel: "Yes, Cancel the Sale",
          cancelLabel: "Keep the Sale",
          destructive: true,
        }}
      >
        <RadioCards
          legend="Why?"
          name="reason"
          defaultValue="other"
          choices={SELLER_CANCEL_REASONS.map((reason) => ({ value: reason, label: CANCEL_REASONS[reason] }))}
        />
        <NoteField label="Note to the buyer" />
      </DealForm>
    </DealMore>
  );
}

function moneyBack(paid: number, buyer: string): string {
  return paid > 0 ? `${capitalized(buyer)} gets ${formatKes(paid)} back. ` : "";
}
