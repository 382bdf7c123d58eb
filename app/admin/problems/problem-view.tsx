import { divideMoney, type ItemPrice } from "#app/orders/item-price-rules.ts";
import { Link, useLocation } from "react-router";
import { ADMIN_TEXTS } from "#app/team/admin-texts.ts";
import type { DecisionAnswer } from "./problem-forms.ts";
import { reviewReason } from "./decision-texts.ts";
import type { ProblemDetails } from "./problems.server.ts";
import { ITEM } from "#app/db/states/item.ts";
import { PhotoStrip } from "#app/catalogue/photos/components/photo-strip.tsx";
import { DealHistory } from "#app/deals/components/deal-history.tsx";
import { PROBLEM_NAMES } from "#app/deals/problems/problem-rules.ts";
import { OrderedListingFacts } from "#app/orders/components/ordered-listing.tsx";
import { ItemBadge } from "#app/orders/components/status-badges.tsx";
import { itemStatusLabel, shortOrderId } from "#app/orders/order-rules.ts";
import { Callout } from "#app/ui/feedback/callout.tsx";
import { formatDateTime } from "#app/ui/dates.ts";
import { formatKes } from "#app/ui/money.ts";
import { listSearch } from "#app/team/components/desk.tsx";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { DecisionForm } from "./decision-form.tsx";
import { Conversation, TeamMessages, Part } from "#app/moderation/cases/case-parts.tsx";
import type { Claim } from "#app/team/claim-rules.ts";
import { ClaimPart, useIsTaken } from "#app/team/components/claim-part.tsx";
import { OrderPayments } from "./order-payments-list.tsx";
import { Changes } from "#app/moderation/cases/changes.tsx";
import { Facts } from "#app/team/components/page-parts.tsx";
import { PersonPart } from "./problem-parts.tsx";

interface ProblemViewProps {
  problem: ProblemDetails;
  viewerId: string;
  /** What this viewer decides, a second admin must confirm. */
  needsTwo: boolean;
  /** Which admin works on it; null for none. */
  claim: Claim | null;
  answer: DecisionAnswer | null;
}

/** One sale with a problem: everything that a decision needs, and the decision. */
export function ProblemDetailsView({ problem: found, viewerId, needsTwo, claim, answer }: ProblemViewProps) {
  const { item, buyer, seller, history, payments, conversation, reports } = found;
  const isOwn = viewerId === buyer.id || viewerId === seller.id;
  const isTaken = useIsTaken(claim);
  const isInReview = ITEM.isInReview(item.status);
  const { search } = useLocation();
  return (
    <>
      <PageHeader
        title={item.name}
        lead={`Order ${shortOrderId(item.orderId)}, ${formatKes(item.subtotal)}`}
        back={{ to: `/admin/problems${listSearch(search)}`, label: "Problems" }}
      />
      <ReportedPart found={found} />
      {reports.length > 0 && <OrderReports reports={reports} />}
      {isInReview && !isOwn && <ClaimPart subject={item.id} claim={claim} answer={answer} />}
      {isInReview && isOwn && <Callout tone="red">{ADMIN_TEXTS.own_money}</Callout>}
      {isInReview && !isOwn && !isTaken && (
        <DecisionForm problem={found} viewerId={viewerId} needsTwo={needsTwo} answer={answer} />
      )}
      {!isInReview && !ITEM.isOver(item.status) && (
        <Callout tone="gray">The buyer and the seller are still settling this. There is nothing to decide yet.</Callout>
      )}
      <PersonPart side="Buyer" person={buyer} phone={["Number that paid", item.payerPhone]} answer={answer} />
      <PersonPart side="Seller" person={seller} phone={["M-Pesa number", item.sellerPhone]} answer={answer} />
      <OrderPart item={item} payments={payments} />
      <Part title="What happened">
        <DealHistory entries={history} />
      </Part>
      <Conversation page={conversation} none="They haven't written to each other.">
        <TeamMessages messages={conversation.messages} />
      </Conversation>
    </>
  );
}

/** What the buyer says is wrong, and where that stands. */
function ReportedPart({ found: { item, problem, history } }: { found: ProblemDetails }) {
  return (
    <section className="card stack" aria-label="Problem">
      <div>
        <ItemBadge status={item.status} handover={item.handover} />
      </div>
      <Facts
        facts={[
          ["Why it's here", ITEM.isInReview(item.status) && reviewReason(history.at(-1)?.event ?? null)],
          ["Problem", problem ? PROBLEM_NAMES[problem.kind] : "The buyer reported none here"],
          ["Reported", problem && formatDateTime(problem.openedAt)],
          ["Offered", problem?.offeredRefund && `${formatKes(divideMoney(item, problem.offeredRefund).buyer)} back`],
          [
            "Refunded",
            problem?.refunded !== null && problem && formatKes(divideMoney(item, problem.refunded ?? 0).buyer),
          ],
        ]}
      />
      {problem && <p className="admin__quote">{problem.description}</p>}
      {problem && <PhotoStrip label="Photos of the problem" images={problem.photos} name={item.name} />}
    </section>
  );
}

function OrderReports({ reports }: Pick<ProblemDetails, "reports">) {
  return (
    <Callout tone="orange" icon="flag" title="Open issue reports about this order">
      <ul className="stack stack--tight" role="list">
        {reports.map((report) => (
          <li key={report.id}>
            <Link className="text-link" to={`/admin/problems/${report.id}`}>
              {report.description.length > 100 ? `${report.description.slice(0, 100)}…` : report.description}
            </Link>
          </li>
        ))}
      </ul>
      {ADMIN_TEXTS.decision_reports}
    </Callout>
  );
}

function OrderPart({ item, payments }: Pick<ProblemDetails, "item" | "payments">) {
  return (
    <Part title="Order">
      <Facts
        facts={[
          ["Item", `${item.quantity} × ${item.name}, ${formatKes(item.subtotal)}`],
          ["Service fee", item.buyerFee + item.sellerFee > 0 && feeFact(item)],
          ["Whole order", formatKes(item.orderAmount)],
          ["Placed", formatDateTime(item.placedAt)],
          ["Handover", item.deliveryOption === "delivery" ? "Delivery" : "Pickup"],
          ["Shipped", item.shippedAt && formatDateTime(item.shippedAt)],
          ["Delivered", item.deliveredAt && formatDateTime(item.deliveredAt)],
          ["Receipt", item.receipt],
          [
            "Listing",
            item.listingDeletedAt
              ? "Deleted"
              : item.listingSuspendedAt
                ? "Taken down"
                : itemStatusLabel(item.listingStatus),
          ],
        ]}
      />
      {item.ordered && (
        <>
          <Changes title="Changed since the order" changes={item.ordered.changes} />
          <OrderedListingFacts ordered={{ ...item.ordered, changes: [] }} name={item.name} />
        </>
      )}
      <OrderPayments orderId={item.orderId} payments={payments} />
    </Part>
  );
}

function feeFact({ buyerFee, sellerFee }: ItemPrice): string {
  return buyerFee > 0 ? `${formatKes(buyerFee)} by the buyer` : `${formatKes(sellerFee)} by the seller`;
}
