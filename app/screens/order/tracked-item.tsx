import { type ReactNode, Suspense } from "react";
import { capitalized } from "#app/platform/word-rules.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { Callout } from "#app/ui/feedback/callout.tsx";
import { lazyPart } from "#app/ui/feedback/lazy-part.tsx";
import { ITEM } from "#app/db/states/item.ts";
import { MEETING } from "#app/db/states/meeting.ts";
import { DealForm, DealMore, NoteField, SeeProblem } from "#app/deals/components/deal-form.tsx";
import { IssueReport } from "#app/deals/components/issue-report.tsx";
import { NextStepPanel } from "#app/deals/components/next-step-panel.tsx";
import { isMeetingStep } from "#app/deals/words/next-step-rules.ts";
import { MeetingCard } from "#app/meetings/components/meeting-card.tsx";
import { MeetingPanel } from "#app/meetings/components/meeting-panel.tsx";
import { MEETING_TEXTS } from "#app/meetings/meeting-texts.ts";
import { ItemConversation, type ItemResult } from "#app/messaging/components/item-conversation.tsx";
import { Fold } from "#app/orders/components/fold.tsx";
import { MoneyLink } from "#app/orders/components/money-link.tsx";
import { OrderedListingFacts } from "#app/orders/components/ordered-listing.tsx";
import { ItemBadge } from "#app/orders/components/status-badges.tsx";
import { ReviewInvitation } from "#app/reviews/components/review-invitation.tsx";
import { imageSources } from "#app/catalogue/photos/image-sources.ts";
import { withWholeAmounts } from "#app/ui/amounts.tsx";
import { formatKes, formatPrice } from "#app/ui/money.ts";
import { Icon } from "#app/ui/pictures/icon.tsx";
import { Photo } from "#app/ui/pictures/photo.tsx";
import { TextLink } from "#app/ui/text-link.tsx";
import { HandoverCode } from "./handover-code.tsx";
import type { TrackedOrder } from "./order.server.ts";

const MissedMeeting = import.meta.env.SSR
  ? (await import("#app/deals/components/missed-meeting.tsx")).MissedMeeting
  : lazyPart(async () => (await import("#app/deals/components/missed-meeting.tsx")).MissedMeeting);

interface TrackedItemProps {
  item: TrackedOrder["items"][number];
  orderId: string;
  /** The order's only item: the page's title has its name. */
  isOne: boolean;
  /** Of several, the first is open and the others are a line. */
  isFirst: boolean;
  /** The page's picture says how it ended. */
  isTold: boolean;
  /** How far it has come; shown here for an only item. */
  progress: ReactNode;
  viewerId: string;
  messageKey: string;
  /** Ms since 1970, when the server made the page. */
  now: number;
  /** This site's own, for links. */
  origin: string;
  /** The answer to a form that was sent without scripts. */
  result: ItemResult | null;
}

/** One item as its buyer follows it: the next step first, then the handover code, and what else the buyer can do. */
export function TrackedItem(props: TrackedItemProps) {
  const { item, isOne, isFirst, result } = props;
  if (isOne) return <ItemBody {...props} />;
  return (
    <details className="tracked__item" open={isFirst || result?.itemId === item.id}>
      <summary>
        <span className="order-line__photo">
          <Photo {...imageSources(item.image, "56px")} alt="" fill />
        </span>
        <span className="tracked__words">
          <span className="order-line__name">{withWholeAmounts(item.name)}</span>
          <span className="order-line__fact">
            <span className="order-line__sum">{formatPrice(item.paid)}</span>
            {item.quantity > 1 && ` for ${item.quantity}`} · {item.sellerName || "Anonymous"}
          </span>
          <span>
            <ItemBadge status={item.status} handover={item.handover} />
          </span>
        </span>
        <Icon name="chevron-down" />
      </summary>
      <ItemBody {...props} />
    </details>
  );
}

function ItemBody({
  item,
  orderId,
  isOne,
  isTold,
  progress,
  viewerId,
  messageKey,
  now,
  origin,
  result,
}: TrackedItemProps) {
  const { ownCode, summary, meeting } = item;
  const { step } = summary;
  const seller = item.sellerName || "the seller";
  // The buyer has it, so their answer matters more than the code.
  const isCodeFirst = isOne && !ITEM.isDelivered(item.status);
  const code = ownCode && <HandoverCode {...ownCode} isFree={item.subtotal === 0} summary={summary} seller={seller} />;
  const messages = (
    <ItemConversation
      itemId={item.id}
      itemName={item.name}
      otherId={item.sellerId}
      otherName={seller}
      viewerId={viewerId}
      first={item.page}
      now={now}
      origin={origin}
      messageKey={messageKey}
      hasPaid={ITEM.isSold(item.status) && item.price > 0}
      opener="Contact Seller"
    />
  );
  return (
    <div className="stack">
      {result?.itemId === item.id && <Callout tone={result.ok ? "green" : "red"}>{result.message}</Callout>}
      {!ITEM.isUnpaid(item.status) && !isTold && (
        <NextStepPanel itemId={item.id} words={summary.words}>
          <MainAction item={item} seller={seller} />
          {/* Its seller must answer now, so it is reported here. */}
          {item.canReport && <IssueReport items={[item]} orderId={orderId} />}
          <StepMeeting item={item} viewerId={viewerId} now={now} />
        </NextStepPanel>
      )}
      {summary.missed && (
        <Suspense>
          <MissedMeeting itemId={item.id} missed={summary.missed} />
        </Suspense>
      )}
      {isCodeFirst && code}
      {summary.codeClosed && (
        <Callout tone="orange" title="Your handover code no longer works">
          {summary.codeClosed} When {summary.called.fine}, say here that everything is OK.
        </Callout>
      )}
      {item.nextReview && !isTold && <ReviewInvitation itemId={item.id} {...item.nextReview} />}
      {progress}
      {isOne && messages}
      <div className="folds">
        {ownCode && !isCodeFirst && (
          <Fold label="Your handover code" hint={`${ownCode.code.slice(0, 3)} ${ownCode.code.slice(3)}`}>
            {code}
          </Fold>
        )}
        {!isOne && <Fold label={`Messages with ${seller}`}>{messages}</Fold>}
        <OtherActions item={item} seller={seller} />
        {!isMeetingStep(step.code) &&
          step.action !== "suggest_meeting" &&
          // Nothing leads to a handover while the code is hidden.
          (!summary.isStopped || (meeting && MEETING.isActive(meeting.state))) && (
            <MeetingPanel
              itemId={item.id}
              itemName={item.name}
              isOpen={ITEM.isMeetable(item.status)}
              meeting={meeting}
              viewerId={viewerId}
              now={now}
            />
          )}
        <MoneyLink item={item} />
        <OrderedListingFacts ordered={item.ordered} name={item.name} />
        {!isOne && !item.removed && (
          <p className="row">
            <TextLink to={`/product/${item.productId}`}>See the listing</TextLink>
          </p>
        )}
      </div>
    </div>
  );
}

/** The meeting, where the next step is about it. */
function StepMeeting({ item, viewerId, now }: Pick<TrackedItemProps, "item" | "viewerId" | "now">) {
  const { code } = item.summary.step;
  if (!item.meeting || !isMeetingStep(code)) return null;
  return (
    <MeetingCard
      meeting={item.meeting}
      itemName={item.name}
      viewerId={viewerId}
      now={now}
      wide
      inCard
      isSaid={code === "meet"}
    />
  );
}

interface ActionProps {
  item: TrackedItemProps["item"];
  /** Inside a sentence. */
  seller: string;
}

/** The button of the next step. A meeting is accepted in its card. */
function MainAction({ item, seller }: ActionProps) {
  const { step } = item.summary;
  switch (step.action) {
    case "agree":
      return <AgreeForm itemId={item.id} />;
    case "suggest_meeting":
      // After a cancelled one, the card of the meeting has the button.
      return isMeetingStep(step.code) ? null : (
        <LinkButton to={`/meetings/${item.id}`} icon="map-pin" wide>
          {MEETING_TEXTS.suggest}
        </LinkButton>
      );
    case "see_problem":
      return <SeeProblem itemId={item.id} />;
    default:
      if (isAcceptNamed(item)) return <AcceptForm item={item} seller={seller} />;
      return step.code === "await_reply" ? <AgreeForm itemId={item.id} variant="soft" /> : null;
  }
}

/** The next step names "Everything is OK", so its button stands there. */
function isAcceptNamed({ summary: { step, actions } }: ActionProps["item"]): boolean {
  return actions.includes("accepted") && (step.action === "accept" || step.code === "await_parcel");
}

function paidText({ item, seller }: ActionProps): string {
  return item.subtotal > 0 ? `We send ${formatKes(item.earned)} to ${seller}. ` : "";
}

function AcceptForm({ item, seller }: ActionProps) {
  return (
    <DealForm
      itemId={item.id}
      intent="accept"
      label="Everything is OK"
      busyLabel="Saving..."
      icon="circle-check"
      variant={item.summary.step.action === "accept" ? "solid" : "soft"}
      confirm={{
        title: "Is everything OK?",
        description: `Say yes only if ${item.summary.called.fineNamed}. ${paidText({ item, seller })}This can't be undone.`,
        confirmLabel: "Yes, Everything is OK",
        cancelLabel: "Not Yet",
      }}
    />
  );
}

/** What the buyer can do besides the next step. */
function OtherActions({ item, seller }: ActionProps) {
  const { actions, answerTime, step } = item.summary;
  const back = item.subtotal > 0 ? `We send ${formatKes(item.paid)} back to the M-Pesa number that paid. ` : "";
  const unanswered = answerTime === null ? "" : `, or don't answer within ${answerTime}`;
  const asking = `You have agreed, so we ask ${seller} first. If they accept${unanswered}, we cancel it${item.subtotal > 0 ? " and send your money back" : ""}.`;
  return (
    <>
      {actions.includes("accepted") && !isAcceptNamed(item) && <AcceptForm item={item} seller={seller} />}
      {actions.includes("report_lifted") && (
        <DealForm
          itemId={item.id}
          intent="lift-report"
          label="Take My Report Back"
          busyLabel="Saving..."
          variant="soft"
          confirm={{
            title: "Take your report back?",
            description: `Nothing is paid now. ${capitalized(seller)} can be paid again: with your handover code, when you say that everything is OK, or when the time to report a problem is over.`,
            confirmLabel: "Yes, Take It Back",
            cancelLabel: "Keep It",
          }}
        />
      )}
      {ITEM.hasOpenProblem(item.status) && step.action !== "see_problem" && (
        <SeeProblem itemId={item.id} variant="soft" />
      )}
      {ITEM.isInReview(item.status) && actions.includes("problem_withdrawn") && (
        <DealForm
          itemId={item.id}
          intent="settle"
          label="It's sorted"
          busyLabel="Saving..."
          variant="soft"
          confirm={{
            title: "Is it sorted?",
            description: `You take back everything that you reported about ${item.name}. ${paidText({ item, seller })}This can't be undone.`,
            confirmLabel: "Yes, It's Sorted",
            cancelLabel: "Not Yet",
          }}
        />
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
function AgreeForm({ itemId, variant }: { itemId: string; variant?: "soft" }) {
  return (
    <DealForm itemId={itemId} intent="agree" label="Agree" busyLabel="Agreeing..." icon="check" variant={variant} />
  );
}
