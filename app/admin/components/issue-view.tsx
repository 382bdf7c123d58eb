import { Link } from "react-router";
import type { AdminFormAnswer } from "#app/admin/form-answer.ts";
import type { IssuePage, Person, ReportedListing } from "#app/admin/issues.server.ts";
import { HELD_LABEL } from "#app/catalogue/selling/held-rules.ts";
import { OrderedListingFacts } from "#app/orders/components/ordered-listing.tsx";
import { itemStatusLabel } from "#app/orders/order-rules.ts";
import { StatusBadge } from "#app/ui/badge.tsx";
import { formatDateTime } from "#app/ui/dates.ts";
import { formatKes } from "#app/ui/money.ts";
import { WordsForm } from "./admin-form.tsx";
import { Conversation, History, MessageTexts, OrderPayments, Part, personFacts } from "./case-parts.tsx";
import { Changes } from "./changes.tsx";
import { AdminPage, Facts } from "./page-parts.tsx";
import { Suspension } from "./suspension.tsx";

interface IssueViewProps {
  page: IssuePage;
  answer: AdminFormAnswer | null;
}

/** One issue report with everything about it, and the actions on it. */
export function IssueView({ page, answer }: IssueViewProps) {
  const { issue, people, listing, order, items, payments, conversation, history, counts } = page;
  const open = issue.status === "open";
  return (
    <AdminPage
      title="Issue report"
      lead={formatDateTime(issue.createdAt)}
      back={{ to: "/admin/issues", label: "Issues" }}
      counts={counts}
    >
      <section className="card stack" aria-label="Report">
        <div>
          <StatusBadge tone={open ? "orange" : "green"}>{open ? "Open" : "Closed"}</StatusBadge>
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
          {open && (
            <WordsForm
              opener="Close this report"
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
          <WordsForm
            opener="Add a note"
            subject={issue.id}
            intent="note"
            field="note"
            title="Note"
            hint="Only admins can see this."
            label="Add Note"
            answer={answer}
          />
        </div>
      </section>

      {people.map((person) => (
        <PersonPart
          key={person.id}
          person={person}
          role={person.id === issue.reporterId ? "Reported by" : "About"}
          answer={answer}
        />
      ))}
      {listing && <ListingPart listing={listing} answer={answer} />}
      {order && (
        <Part title="Order">
          <Facts
            facts={[
              ["Number", order.id.slice(0, 8)],
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
                {item.quantity} × {item.productName}, {formatKes(item.subtotal)}: {item.status}
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
      )}
      <Conversation page={conversation}>
        <MessageTexts messages={conversation.messages} />
      </Conversation>
      <History entries={history} />
    </AdminPage>
  );
}

function PersonPart({ person, role, answer }: { person: Person; role: string; answer: AdminFormAnswer | null }) {
  const state = person.deletedAt ? "Deleted" : person.suspendedAt ? "Suspended" : null;
  return (
    <Part title={`${role}: ${person.fullName || person.email}`}>
      {state && (
        <div>
          <StatusBadge tone="red">{state}</StatusBadge>
        </div>
      )}
      <Facts
        facts={[
          ...personFacts(person),
          ["Suspended", !person.deletedAt && person.suspendedAt && formatDateTime(person.suspendedAt)],
        ]}
      />
      {!person.deletedAt && !person.adminRole && (
        <Suspension subject={person.id} what="user" suspended={person.suspendedAt !== null} answer={answer} />
      )}
    </Part>
  );
}

function ListingPart({ listing, answer }: { listing: ReportedListing; answer: AdminFormAnswer | null }) {
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
      {!listing.deletedAt && listing.heldFor && (
        <p>
          The decision in{" "}
          <Link className="text-link" to="/admin/moderation">
            Moderation
          </Link>{" "}
          publishes it or keeps it off.
        </p>
      )}
      {!listing.deletedAt && !listing.heldFor && (
        <Suspension subject={listing.id} what="listing" suspended={listing.suspendedAt !== null} answer={answer} />
      )}
    </Part>
  );
}
