import type { RefObject } from "react";
import { capitalised } from "#app/platform/word-rules.ts";
import { type DealEvent, SELLER_CANCEL_REASONS } from "#app/db/states/deal.ts";
import { ITEM } from "#app/db/states/item.ts";
import { DealForm, DealMore, NoteField, SeeProblem } from "#app/deals/components/deal-form.tsx";
import { CANCEL_REASONS } from "#app/deals/words/deal-texts.ts";
import { periodText } from "#app/deals/words/deal-promises.ts";
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
  inspectionHours: number;
  result: SoldItemAnswer | null;
  typedCode: RefObject<TypedCode | null>;
}

/** The button of a seller's next step. The message box writes to the buyer, and a meeting is accepted in its card. */
export function SaleStep({ item, summary, buyer, inspectionHours, result, typedCode }: SaleStepsProps) {
  const canDeliver = summary.actions.includes("delivered");
  const deliver = { item, buyer, inspectionHours, isOnHold: summary.isOnHold };
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
          <EnterCode item={item} isMain result={result} typed={typedCode} />
          {step.code === "send" && <ShipForm itemId={item.id} variant="soft" />}
          {canDeliver && <DeliverForm {...deliver} isMain={false} />}
        </>
      );
    // The card of the meeting has the button.
    case "suggest_meeting":
      return null;
    case "ship":
      return <ShipForm itemId={item.id} />;
    case "deliver":
      return <DeliverForm {...deliver} isMain />;
    case "accept_cancellation":
      return <CancelAnswer item={item} buyer={buyer} />;
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
export function OtherSaleSteps({ item, summary, buyer, inspectionHours, result, typedCode }: SaleStepsProps) {
  const { step, isOnHold } = summary;
  const can = (event: DealEvent) => summary.actions.includes(event);
  return (
    <>
      {summary.codeClosed && (
        <Callout tone="orange" title="The handover code no longer works">
          {summary.codeClosed} Mark the item as shipped, and as delivered once {buyer} has it.
        </Callout>
      )}
      {can("code_entered") && step.action !== "enter_code" && (
        <Fold label="Enter the buyer's code" open={result?.codeError !== undefined}>
          <EnterCode item={item} isMain={false} result={result} typed={typedCode} />
        </Fold>
      )}
      {can("shipped") && step.action !== "ship" && step.code !== "send" && (
        <Fold label="Do you send it instead?">
          <p>Mark it as shipped when it's on its way.</p>
          <ShipForm itemId={item.id} variant="soft" />
        </Fold>
      )}
      {can("delivered") && step.action === null && (
        <DeliverForm {...{ item, buyer, inspectionHours, isOnHold }} isMain={false} />
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
}: Pick<SaleStepsProps, "item"> & Pick<CodeEntryProps, "isMain" | "result" | "typed">) {
  return <CodeEntry itemId={item.id} isFree={item.subtotal === 0} {...rest} />;
}

function ShipForm({ itemId, variant }: { itemId: string; variant?: "soft" }) {
  return (
    <DealForm
      itemId={itemId}
      intent="ship"
      label={SHIPPING_STEPS.ready_to_ship.action}
      busyLabel="Marking as shipped..."
      icon="truck"
      variant={variant}
    />
  );
}

type StepProps = Pick<SaleStepsProps, "item" | "buyer">;

/** Marks the item as delivered without the buyer's code. */
function DeliverForm({
  item,
  buyer,
  inspectionHours,
  isOnHold,
  isMain,
}: StepProps & Pick<SaleStepsProps, "inspectionHours"> & { isOnHold: boolean; isMain: boolean }) {
  const amount = formatKes(item.subtotal);
  const payout =
    item.subtotal === 0 || isOnHold
      ? ""
      : inspectionHours === 0
        ? ` We then send ${amount} to your M-Pesa.`
        : ` They then have at least ${periodText(inspectionHours)} to report a problem. If they don't, we send ${amount} to your M-Pesa.`;
  return (
    <section className="stack stack--tight">
      <p>No code? When {buyer} has received it, mark it as delivered.</p>
      <DealForm
        itemId={item.id}
        intent="deliver"
        label="Mark as Delivered"
        busyLabel="Marking as delivered..."
        icon="package-check"
        variant={isMain ? "solid" : "soft"}
        confirm={{
          title: "Has it been delivered?",
          description: `Confirm only after ${buyer} has received it. We email ${buyer}, and this can't be undone.${payout}`,
          confirmLabel: "Yes, Delivered",
          cancelLabel: "Not Yet",
        }}
      />
    </section>
  );
}

/** Answers the buyer's request to cancel. */
function CancelAnswer({ item, buyer }: StepProps) {
  return (
    <section className="stack">
      <DealForm
        itemId={item.id}
        intent="accept-cancel"
        label="Accept the Cancellation"
        busyLabel="Cancelling..."
        confirm={{
          title: `Cancel the sale of ${item.name}?`,
          description: `${moneyBack(item.subtotal, buyer)}Don't hand it over then. This can't be undone.`,
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

function CancelSale({ item, buyer }: StepProps) {
  // After a block the seller may still have it, for others.
  const isBlocked = item.contact === "blocked";
  return (
    <DealMore label="Cancel this sale?">
      <p>
        {moneyBack(item.subtotal, buyer)}
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
          description: `${moneyBack(item.subtotal, buyer)}We show ${buyer} your reason${isBlocked ? "" : ", and mark the listing as out of stock"}. This can't be undone.`,
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

function moneyBack(subtotal: number, buyer: string): string {
  return subtotal > 0 ? `${capitalised(buyer)} gets ${formatKes(subtotal)} back. ` : "";
}
