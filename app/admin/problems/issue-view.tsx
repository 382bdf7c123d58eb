import { useContext } from "react";
import { Link, useLocation } from "react-router";
import type { AdminFormAnswer } from "#app/team/form-answer.ts";
import type { IssuePage, ReportedListing } from "./issues.server.ts";
import { mayDo, mayOpen } from "#app/team/role-rules.ts";
import { HELD_LABEL } from "#app/catalogue/selling/held-rules.ts";
import { OrderedListingFacts } from "#app/orders/components/ordered-listing.tsx";
import { itemStatusLabel, shortOrderId } from "#app/orders/order-rules.ts";
import { withWholeAmounts } from "#app/ui/amounts.tsx";
import { StatusBadge } from "#app/ui/badge.tsx";
import { formatDateTime } from "#app/ui/dates.ts";
import { formatKes } from "#app/ui/money.ts";
import { listSearch } from "#app/team/components/desk.tsx";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { AdminContext } from "#app/team/components/admin-context.ts";
import { NoteForm, WordsForm } from "#app/team/components/admin-form.tsx";
import { Conversation, History, TeamMessages, Part } from "#app/moderation/cases/case-parts.tsx";
import type { Claim } from "#app/team/claim-rules.ts";
import { ClaimPart, useIsTaken } from "#app/team/components/claim-part.tsx";
import { OrderPayments } from "./order-payments-list.tsx";
import { Changes } from "#app/moderation/cases/changes.tsx";
import { Facts } from "#app/team/components/page-parts.tsx";
import { PersonPart, ReportBadge } from "./problem-parts.tsx";
import { Suspension } from "#app/moderation/suspensions/suspension.tsx";

interface IssueViewProps {
  page: IssuePage;
  /** Which admin works on it; null for none. */
  claim: Claim | null;
  answer: AdminFormAnswer | null;
}

/** One issue report with everything about it, and the actions on it. */
export function IssueView({ page, claim, answer }: IssueViewProps) {
  const { issue, people, listing, order, items, payments, conversation, history } = page;
  const open = issue.status === "open";
  const isTaken = useIsTaken(claim);
  const { search } = useLocation();
  return (
    <>
      <PageHeader
        title="Issue report"
        lead={formatDateTime(issue.createdAt)}
        back={{ to: `/admin/problems${listSearch(search)}`, label: "Problems" }}
      />
      {open && <ClaimPart subject={issue.id} claim={claim} answer={answer} />}
      <section className="card stack" aria-label="Report">
        <div>
          <ReportBadge isOpen={open} />
        </div>
        <p className="admin__quote">{issue.text}</p>
        {issue.outcome && (
          <Facts
            facts={[
              ["Outcome", issue.outcome],
              ["Closed", issue.closedAt && formatDateTime(issue.closedAt)],
            ]}
          />
        )}
        <div className="admin__actions">
          {open && !isTaken && (
            <WordsForm
              subject={issue.id}
              intent="close"
              field="outcome"
              title="Outcome"
              hint="We'll email this to the person who reported it."
              label="Close Report"
              variant="solid"
              answer={answer}
            />
          )}
          <NoteForm subject={issue.id} answer={answer} />
        </div>
      </section>

      {people.map((person) => (
        <PersonPart
          key={person.id}
          person={person}
          side={person.id === issue.reporterId ? "Buyer" : "Seller"}
          answer={answer}
        />
      ))}
      {listing && <ListingPart listing={listing} answer={answer} />}
      {order && <OrderPart order={order} items={items} payments={payments} />}
      <Conversation page={conversation}>
        <TeamMessages messages={conversation.messages} />
      </Conversation>
      <History entries={history} />
    </>
  );
}

interface OrderPartProps extends Pick<IssuePage, "items" | "payments"> {
  order: NonNullable<IssuePage["order"]>;
}

function OrderPart({ order, items, payments }: OrderPartProps) {
  return (
    <Part title="Order">
      <Facts
        facts={[
          ["Number", shortOrderId(order.id)],
          ["Amount", formatKes(order.amount)],
          ["Payment", itemStatusLabel(order.paymentStatus)],
          ["Order", itemStatusLabel(order.orderStatus)],
          ["Receipt", order.receipt],
          ["Placed", formatDateTime(order.createdAt)],
        ]}
      />
      <ul className="stack stack--tight small" role="list">
        {items.map((item) => (
          <li key={item.id}>
            {item.quantity} × {item.productName}, {withWholeAmounts(formatKes(item.subtotal))}: {item.status}
            {item.ordered && (
              <>
                <Changes title="Changed since the order" changes={item.ordered.changes} />
                <OrderedListingFacts ordered={{ ...item.ordered, changes: [] }} name={item.productName} />
              </>
            )}
          </li>
        ))}
      </ul>
      <OrderPayments orderId={order.id} payments={payments} />
    </Part>
  );
}

function ListingPart({ listing, answer }: { listing: ReportedListing; answer: AdminFormAnswer | null }) {
  const { role } = useContext(AdminContext);
  return (
    <Part title={`Listing: ${listing.name}`}>
      {(listing.suspendedAt || listing.deletedAt) && (
        <div>
          <StatusBadge tone="red">
            {listing.deletedAt ? "Deleted" : listing.heldFor ? HELD_LABEL : "Taken down"}
          </StatusBadge>
        </div>
      )}
      <Facts
        facts={[
          ["Price", formatKes(listing.price)],
          ["Status", itemStatusLabel(listing.status)],
          ["Taken down", listing.heldFor === null && listing.suspendedAt && formatDateTime(listing.suspendedAt)],
        ]}
      />
      {!listing.deletedAt && listing.heldFor && mayOpen(role, "/admin/moderation") && (
        <p>
          The decision in{" "}
          <Link className="text-link" to="/admin/moderation">
            Moderation
          </Link>{" "}
          publishes it or keeps it off.
        </p>
      )}
      {!listing.deletedAt && !listing.heldFor && mayDo(role, "listing_suspended") && (
        <Suspension subject={listing.id} what="listing" suspended={listing.suspendedAt !== null} answer={answer} />
      )}
    </Part>
  );
}
