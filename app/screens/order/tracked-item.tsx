import { LinkButton } from "#app/ui/button.tsx";
import { Callout } from "#app/ui/feedback/callout.tsx";
import { useFetcher } from "react-router";
import { ITEM } from "#app/db/states/item.ts";
import { DealForm, DealMore, NoteField } from "#app/deals/components/deal-form.tsx";
import { DealStatus } from "#app/deals/components/deal-status.tsx";
import type { ItemResult } from "#app/messaging/components/item-conversation.tsx";
import { OrderedListingFacts } from "#app/orders/components/ordered-listing.tsx";
import { OrderLine } from "#app/orders/components/order-lines.tsx";
import { ItemBadge } from "#app/orders/components/status-badges.tsx";
import { ReviewInvitation } from "#app/reviews/components/review-invitation.tsx";
import { formatKes } from "#app/ui/money.ts";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { useResultToast } from "#app/ui/feedback/use-result-toast.ts";
import { HandoverCode } from "./handover-code.tsx";
import type { TrackedOrder } from "./order.server.ts";

interface TrackedItemProps {
  item: TrackedOrder["items"][number];
  /** The answer to a form that was sent without scripts. */
  result: ItemResult | null;
}

/** One item as its buyer follows it: what happens next, the hand-over code, and what the buyer can do. */
export function TrackedItem({ item, result }: TrackedItemProps) {
  const { handover, summary } = item;
  const seller = item.sellerName || "the seller";
  // The buyer has it, so their answer matters more than the code.
  const isDelivered = ITEM.isDelivered(item.status);
  const code = handover && (
    <HandoverCode {...handover} isFree={item.subtotal === 0} wrongCodes={summary.wrongCodes} seller={seller} />
  );
  return (
    <>
      <OrderLine item={item} seller={item} badge={<ItemBadge status={item.status} />} />
      <OrderedListingFacts ordered={item.ordered} name={item.name} />
      {result?.itemId === item.id && <Callout tone={result.ok ? "green" : "red"}>{result.message}</Callout>}
      {!ITEM.isUnpaid(item.status) && (
        <DealStatus words={summary.words}>
          {ITEM.isToShip(item.status) && item.buyerContacted && !item.buyerAgreed && !summary.isHeld && (
            <AgreeForm itemId={item.id} />
          )}
        </DealStatus>
      )}
      {!isDelivered && code}
      {summary.codeClosed && (
        <Callout tone="orange" title="Your hand-over code no longer works">
          {summary.codeClosed} When you have the item and it's fine, say here that everything is OK.
        </Callout>
      )}
      {item.nextReview && <ReviewInvitation itemId={item.id} {...item.nextReview} />}
      <BuyerActions item={item} seller={seller} />
      {isDelivered && code}
    </>
  );
}

/** A name or "the seller" at the start of a sentence. */
function start(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function BuyerActions({ item, seller }: { item: TrackedItemProps["item"]; seller: string }) {
  const { actions, answerTime } = item.summary;
  const paid = item.subtotal > 0 ? `We send ${formatKes(item.subtotal)} to ${seller}. ` : "";
  const back = item.subtotal > 0 ? `We send ${formatKes(item.subtotal)} back to the M-Pesa number that paid. ` : "";
  const unanswered = answerTime === null ? "" : `, or don't answer within ${answerTime}`;
  const asking = `You agreed to the handover, so we ask ${seller} first. If they accept${unanswered}, we cancel it${item.subtotal > 0 ? " and send your money back" : ""}.`;
  return (
    <>
      {actions.includes("accepted") && (
        <DealForm
          itemId={item.id}
          intent="accept"
          label="Everything is OK"
          busyLabel="Saving..."
          icon="circle-check"
          variant={item.status === "delivered" ? "solid" : "soft"}
          confirm={{
            title: "Is everything OK?",
            description: `Say yes only if you have ${item.name} and it's fine. ${paid}This can't be undone.`,
            confirmLabel: "Yes, Everything is OK",
            cancelLabel: "Not Yet",
          }}
        />
      )}
      {actions.includes("report_lifted") && (
        <DealForm
          itemId={item.id}
          intent="lift-report"
          label="Take My Report Back"
          busyLabel="Saving..."
          variant="soft"
          confirm={{
            title: "Take your report back?",
            description: `Nothing is paid now. ${start(seller)} can be paid again: with your hand-over code, when you say that everything is OK, or when the time to report a problem is over.`,
            confirmLabel: "Yes, Take It Back",
            cancelLabel: "Keep It",
          }}
        />
      )}
      {ITEM.isInReview(item.status) && actions.includes("problem_withdrawn") && (
        <DealForm
          itemId={item.id}
          intent="settle"
          label="It's Solved"
          busyLabel="Saving..."
          variant="soft"
          confirm={{
            title: "Is it solved?",
            description: `You take back everything that you reported about ${item.name}. ${paid}This can't be undone.`,
            confirmLabel: "Yes, It's Solved",
            cancelLabel: "Not Yet",
          }}
        />
      )}
      {actions.includes("problem_reported") && (
        <LinkButton to={`/problems/${item.id}`} icon="circle-alert" variant="soft" wide>
          Report a Problem
        </LinkButton>
      )}
      {ITEM.hasOpenProblem(item.status) && (
        <LinkButton to={`/problems/${item.id}`} icon="message-circle" wide>
          See the Problem
        </LinkButton>
      )}
      {actions.includes("cancelled_by_buyer") && (
        <DealForm
          itemId={item.id}
          intent="cancel"
          label="Cancel this item"
          busyLabel="Cancelling..."
          variant="ghost"
          wide={false}
          confirm={{
            title: `Cancel ${item.name}?`,
            description: `${back}The seller keeps ${item.name}, and this can't be undone.`,
            confirmLabel: "Yes, Cancel It",
            cancelLabel: "Keep It",
            destructive: true,
          }}
        />
      )}
      {actions.includes("cancel_requested") && (
        <DealMore label="Cancel this item?">
          <p>{asking}</p>
          <DealForm itemId={item.id} intent="ask-to-cancel" label="Ask to Cancel" busyLabel="Asking..." variant="soft">
            <NoteField label="Note to the seller" />
          </DealForm>
        </DealMore>
      )}
      {actions.includes("cancel_withdrawn") && (
        <DealForm itemId={item.id} intent="keep" label="Keep It After All" busyLabel="Saving..." variant="soft" />
      )}
    </>
  );
}

/** Agrees to the handover, once the seller has messaged the buyer about it. */
function AgreeForm({ itemId }: { itemId: string }) {
  const fetcher = useFetcher<ItemResult>();
  useResultToast(fetcher.data);
  return (
    <fetcher.Form method="post">
      <input type="hidden" name="itemId" value={itemId} />
      <SubmitButton
        name="intent"
        value="agree"
        icon="check"
        wide={false}
        busy={fetcher.state !== "idle"}
        busyLabel="Agreeing..."
      >
        Agree
      </SubmitButton>
    </fetcher.Form>
  );
}
