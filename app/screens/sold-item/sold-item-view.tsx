import { settingsPath } from "#app/accounts/profile/settings-path.ts";
import { TRANSFER } from "#app/db/states/transfer.ts";
import "#app/messaging/components/messaging.css";
import "#app/ui/feedback/moment.css";
import "#app/ui/summary-rows.css";
import { type ReactNode, Suspense, useRef } from "react";
import { useFetcher } from "react-router";
import { managePath } from "#app/catalogue/catalogue-rules.ts";
import { DealForm } from "#app/deals/components/deal-form.tsx";
import type { SoldItem } from "./sold-item.server.ts";
import { MoneyLink } from "#app/orders/components/money-link.tsx";
import { OrderedListingFacts } from "#app/orders/components/ordered-listing.tsx";
import { OrderHead } from "#app/orders/components/order-head.tsx";
import { Fold } from "#app/orders/components/fold.tsx";
import { ITEM } from "#app/db/states/item.ts";
import { NextStepPanel } from "#app/deals/components/next-step-panel.tsx";
import { isMeetingStep } from "#app/deals/words/next-step-rules.ts";
import { MeetingCard } from "#app/meetings/components/meeting-card.tsx";
import { SafetyTips } from "#app/meetings/components/safety-tips.tsx";
import { mayMeet } from "#app/meetings/meeting-rules.ts";
import { MeetingPanel } from "#app/meetings/components/meeting-panel.tsx";
import { ItemBadge, StepBadge } from "#app/orders/components/status-badges.tsx";
import { SHIPPING_STEPS, shippingStep, shortOrderId } from "#app/orders/order-rules.ts";
import { PayoutLog, PayoutPanel, usePayoutToasts } from "#app/payments/components/payout-panel.tsx";
import type { LogLine, PayoutSummary } from "#app/payments/transfers/payout-summary.ts";
import { ReviewInvitation } from "#app/reviews/components/review-invitation.tsx";
import { LinkButton } from "#app/ui/button.tsx";
import { lazyPart } from "#app/ui/feedback/lazy-part.tsx";
import { Callout } from "#app/ui/feedback/callout.tsx";
import { type ActionResult, useResultToast } from "#app/ui/feedback/use-result-toast.ts";
import { formatDate } from "#app/ui/dates.ts";
import { formatKes } from "#app/ui/money.ts";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { usePolling } from "#app/ui/browser/use-polling.ts";
import { ItemConversation } from "#app/messaging/components/item-conversation.tsx";
import type { TypedCode } from "./code-entry.tsx";
import { OtherSaleSteps, SaleStep, type SaleStepsProps } from "./sale-steps.tsx";
import { isPayoutFine, useSaleMoment } from "./sale-moment.ts";
import type { SoldItemAnswer } from "./sold-item-answer.ts";

const SoldItemFacts = import.meta.env.SSR
  ? (await import("./sold-item-facts.tsx")).SoldItemFacts
  : lazyPart(async () => (await import("./sold-item-facts.tsx")).SoldItemFacts);
const HelperLink = import.meta.env.SSR
  ? (await import("./helper-link.tsx")).HelperLink
  : lazyPart(async () => (await import("./helper-link.tsx")).HelperLink);
const MissedMeeting = import.meta.env.SSR
  ? (await import("#app/deals/components/missed-meeting.tsx")).MissedMeeting
  : lazyPart(async () => (await import("#app/deals/components/missed-meeting.tsx")).MissedMeeting);
const SaleMoment = import.meta.env.SSR
  ? (await import("./sale-moments.tsx")).SaleMoment
  : lazyPart(async () => (await import("./sale-moments.tsx")).SaleMoment);

/** How often the page reloads its data while a payout is in progress, in ms. */
const POLL_MS = 5000;

/** How many pieces of this listing are paid and not handed over yet. */
function owedText(owed: number): string {
  if (owed === 0) return "";
  return owed === 1
    ? "You still owe 1 piece to a buyer who has paid."
    : `You still owe ${owed} pieces to buyers who have paid.`;
}

interface SellerItemViewProps extends Omit<SoldItem, "payout"> {
  payout: PayoutSummary | null;
  /** The last lines about the payout where M-Pesa is simulated: the page says so and shows them. Otherwise null. */
  payoutLog: readonly LogLine[] | null;
  viewerId: string;
  messageKey: string;
  /** Ms since 1970, when the server made the page. */
  now: number;
  /** This site's own, for links. */
  origin: string;
  /** The payout can be tried again now. */
  canRetryPayout: boolean;
  /** The seller's profile has no M-Pesa number. */
  needsPhone: boolean;
  /** After what it says of itself: how long the buyer can report a problem; null where they can't. */
  checkTime: string | null;
  /** The seller has just entered the right code. */
  isCodeRight: boolean;
  /** The code was the last thing that happened. */
  isByCode: boolean;
  result: SoldItemAnswer | null;
}

type Item = SoldItem["item"];

/** An order item as its seller sees it, with one next step at a time. */
export function SellerItemView({
  item,
  earned,
  summary,
  payout,
  payoutLog,
  page,
  nextReview,
  buyerStars,
  meeting,
  helper,
  checkTime,
  viewerId,
  messageKey,
  now,
  origin,
  canRetryPayout,
  needsPhone,
  isNews,
  isCodeRight,
  isByCode,
  result,
}: SellerItemViewProps) {
  usePolling(POLL_MS, payout !== null && TRANSFER.isUnderWay(payout.state));
  const buyer = buyerOf(item);
  const { step } = summary;
  const paid = item.paymentStatus === "completed";
  const typedCode = useRef<TypedCode>(null);
  const steps = { item, summary, buyer, checkTime, result, typedCode };
  const isToWrite = step.action === "write";
  const moment = useSaleMoment({ item, summary, isNews, isByCode, isCodeRight });
  // Its picture says what becomes of the money.
  const isPayoutSaid = moment === "code" && isPayoutFine(item, payout);
  usePayoutToasts(isPayoutSaid ? null : payout);
  const card = meeting && isMeetingStep(step.code) && (
    <MeetingCard
      meeting={meeting}
      itemName={item.name}
      viewerId={viewerId}
      now={now}
      wide
      inCard
      isSaid={step.code === "meet"}
    />
  );
  return (
    <div className="page order">
      {moment && (
        <Suspense>
          <SaleMoment
            kind={moment}
            item={item}
            card={card}
            earned={earned}
            summary={summary}
            payout={payout}
            review={nextReview}
          />
        </Suspense>
      )}
      <SaleHead item={item} earned={earned} />
      <div className="split">
        <div className="stack">
          {result && !result.ok && !result.codeError && (
            <Callout tone="red" role="alert">
              {result.message}
            </Callout>
          )}
          {/* The picture has a meeting to answer. */}
          {moment !== "code" && !(moment && card) && (
            <NextStepPanel itemId={item.id} words={summary.words}>
              {!isToWrite && <SaleStep {...steps} />}
              {card}
            </NextStepPanel>
          )}
          <SaleMissed item={item} summary={summary} />
          {payout && !isPayoutSaid && (
            <PayoutPanel payout={payout}>
              {canRetryPayout && <PayoutAgain item={item} needsPhone={needsPhone} />}
            </PayoutPanel>
          )}
          {nextReview && moment !== "code" && <ReviewInvitation itemId={item.id} {...nextReview} />}
          {paid && (
            <SaleMessages
              item={item}
              page={page}
              viewerId={viewerId}
              now={now}
              origin={origin}
              messageKey={messageKey}
              isToWrite={isToWrite}
              isQuiet={moment !== null}
            />
          )}
          <SaleFolds steps={steps} meeting={meeting} helper={helper} viewerId={viewerId} now={now} origin={origin} />
        </div>
        <SaleFacts item={item} buyerStars={buyerStars} payoutLog={payoutLog} />
      </div>
    </div>
  );
}

function SaleMissed({ item, summary: { missed } }: Pick<SoldItem, "item" | "summary">) {
  if (!missed) return null;
  return (
    <Suspense>
      <MissedMeeting itemId={item.id} missed={missed} />
    </Suspense>
  );
}

function SaleFacts({ item, buyerStars, payoutLog }: Pick<SellerItemViewProps, "item" | "buyerStars" | "payoutLog">) {
  const paid = item.paymentStatus === "completed";
  return (
    <aside aria-label="About this sale" className="stack">
      <Fold label={paid ? "Buyer and order" : "Order"} hint={paid ? buyerOf(item) : undefined} isAside>
        <Suspense>
          <SoldItemFacts item={item} buyerStars={buyerStars} />
        </Suspense>
        {payoutLog && !ITEM.isReturned(item.status) && <PayoutLog lines={payoutLog} free={item.subtotal === 0} />}
      </Fold>
    </aside>
  );
}

/** What the seller can do besides the next step. */
function SaleFolds({
  steps,
  meeting,
  helper,
  viewerId,
  now,
  origin,
}: { steps: SaleStepsProps } & Pick<SellerItemViewProps, "meeting" | "helper" | "viewerId" | "now" | "origin">) {
  const { item, summary } = steps;
  const paid = item.paymentStatus === "completed";
  return (
    <div className="folds">
      {helper && (
        <Suspense>
          <HelperLink itemId={item.id} helper={helper} origin={origin} />
        </Suspense>
      )}
      {paid && <OtherSaleSteps {...steps} />}
      {paid && !isMeetingStep(summary.step.code) && (
        <MeetingPanel
          itemId={item.id}
          itemName={item.name}
          isOpen={ITEM.isMeetable(item.status)}
          meeting={meeting}
          viewerId={viewerId}
          now={now}
        />
      )}
      {item.restockable === 1 && <ReturnedItem item={item} />}
      {paid && item.restockable === 0 && item.listingSold === 1 && <SoldListing item={item} />}
      <MoneyLink item={item} />
      <OrderedListingFacts ordered={item.ordered} name={item.name} />
      {mayMeet(meeting) && <SafetyTips folded />}
    </div>
  );
}

function SaleHead({ item, earned }: Pick<SoldItem, "item" | "earned">) {
  return (
    <OrderHead
      title={item.name}
      thing={item}
      lead={<SaleLead item={item} earned={earned} />}
      small={
        <>
          Order {shortOrderId(item.orderId)} · {formatDate(item.orderCreatedAt)}
          {saleBadge(item)}
        </>
      }
      back={{ to: "/myshop?tab=orders", label: "My Shop" }}
    />
  );
}

function SaleLead({ item, earned }: { item: Item; earned: number }) {
  return (
    <>
      <span>
        You earn <strong>{formatKes(earned)}</strong>
      </span>
      {item.quantity > 1 && ` for ${item.quantity}`}
    </>
  );
}

function buyerOf({ buyerName }: Item): string {
  return buyerName || "the buyer";
}

/** Where the sale stands. How it ended is said by the next step's title. */
function saleBadge(item: Item): ReactNode {
  if (ITEM.isToShip(item.status)) return <StepBadge step={shippingStep(item)} handover={item.handover} />;
  return ITEM.isOver(item.status) ? null : <ItemBadge status={item.status} handover={item.handover} />;
}

interface SaleMessagesProps extends Pick<
  SellerItemViewProps,
  "item" | "page" | "viewerId" | "now" | "origin" | "messageKey"
> {
  /** The next step is to write to the buyer. */
  isToWrite: boolean;
  /** The page's main button stands elsewhere. */
  isQuiet: boolean;
}

/** In one place at every step, so that a step that changes takes no box away in which somebody writes. */
function SaleMessages({ item, page, viewerId, now, origin, messageKey, isToWrite, isQuiet }: SaleMessagesProps) {
  return (
    <section aria-label="Messages">
      <ItemConversation
        itemId={item.id}
        itemName={item.name}
        otherId={item.buyerId}
        otherName={buyerOf(item)}
        viewerId={viewerId}
        first={page}
        now={now}
        origin={origin}
        messageKey={messageKey}
        hasPaid={item.price > 0}
        action={isToWrite && !isQuiet ? SHIPPING_STEPS.need_contact.action : undefined}
        opener={isToWrite ? SHIPPING_STEPS.need_contact.action : undefined}
      />
    </section>
  );
}

/** The last piece is sold. A seller who has another one can put the listing back on sale. */
function SoldListing({ item }: { item: Item }) {
  const fetcher = useFetcher<ActionResult>();
  useResultToast(fetcher.data);
  return (
    <Fold label="Do you have another one?" hint="Sold out">
      <div className="row row--apart">
        <p>Nobody else can buy this now. {owedText(item.owed)}</p>
        <fetcher.Form method="post" action={managePath(item.productId)} preventScrollReset>
          <input type="hidden" name="intent" value="stock" />
          <input type="hidden" name="seen" value="0" />
          <input type="hidden" name="from" value={`/seller/orders/${item.id}`} />
          <SubmitButton
            name="stock"
            value="1"
            variant="soft"
            wide={false}
            busy={fetcher.state !== "idle"}
            busyLabel="Putting it back..."
          >
            Put back on sale
          </SubmitButton>
        </fetcher.Form>
      </div>
    </Fold>
  );
}

/** The sale was cancelled or refunded. Only the seller knows whether the item can be sold again. */
function ReturnedItem({ item }: { item: Item }) {
  return (
    <Callout tone="gray" title={item.quantity === 1 ? "Can it be sold again?" : "Can they be sold again?"}>
      <span className="row row--apart">
        <span>
          {item.quantity === 1
            ? "If you can sell it again, put it back on sale."
            : `If you can sell the ${item.quantity} pieces again, put them back on sale.`}{" "}
          {owedText(item.owed)}
        </span>
        <DealForm
          itemId={item.id}
          intent="restock"
          label="Put back on sale"
          busyLabel="Putting it back..."
          variant="soft"
          wide={false}
        />
      </span>
    </Callout>
  );
}

/** How the seller can fix a parked payout: add or change the M-Pesa number, then try again. */
function PayoutAgain({ item, needsPhone }: { item: Item; needsPhone: boolean }) {
  if (needsPhone) {
    return (
      <LinkButton to={`/become-seller?next=${encodeURIComponent(`/seller/orders/${item.id}`)}`} icon="smartphone">
        Add My M-Pesa Number
      </LinkButton>
    );
  }
  return (
    <div className="stack stack--tight">
      <DealForm itemId={item.id} intent="payout" label="Try Payout Again" busyLabel="Trying..." />
      <LinkButton to={settingsPath("details")} variant="ghost">
        Change My M-Pesa Number
      </LinkButton>
    </div>
  );
}
