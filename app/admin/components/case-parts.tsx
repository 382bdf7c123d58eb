import type { ReactNode } from "react";
import { levelTitle, type VerifiedLevel } from "#app/accounts/verified-rules.ts";
import { ACTION_WORDS } from "#app/admin/case-texts.ts";
import { formatDate, formatDateTime } from "#app/ui/dates.ts";
import type { ThreadPage } from "#app/messaging/archived-messages.server.ts";
import { EmailAddress } from "#app/ui/email-address.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { Link } from "#app/ui/link.tsx";
import { formatKes } from "#app/ui/money.ts";

/** A titled part of the page of a case, a report or a problem. */
export function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="admin__section">
      <h2>{title}</h2>
      {children}
    </section>
  );
}

interface Action {
  id: string;
  /** Null for the system. */
  actor: string | null;
  action: string;
  detail: string | null;
  /** Ms since 1970. */
  createdAt: number;
}

/** What admins have done, from the audit log. */
export function History({ entries }: { entries: readonly Action[] }) {
  return (
    <Part title="History">
      {entries.length === 0 ? (
        <p className="quiet small">No actions yet.</p>
      ) : (
        <ol className="stack stack--tight small" role="list">
          {entries.map((entry) => (
            <li key={entry.id} className="admin__quote">
              {formatDateTime(entry.createdAt)}, {entry.actor ?? "the system"}:{" "}
              {ACTION_WORDS[entry.action] ?? entry.action}
              {entry.detail && `: ${entry.detail}`}
            </li>
          ))}
        </ol>
      )}
    </Part>
  );
}

interface ShownPerson {
  email: string;
  campusLocation: string | null;
  isAdmin: number;
  isSeller: number;
  verifiedLevel: VerifiedLevel | null;
  /** Ms since 1970. */
  memberSince: number;
}

/** The first of the `Facts` about a person. */
export function personFacts(person: ShownPerson): [label: string, value: ReactNode][] {
  return [
    ["Email", <EmailAddress key="email" address={person.email} />],
    ["Campus", person.campusLocation],
    ["Account", person.isAdmin === 1 ? "Admin" : person.isSeller === 1 ? "Seller" : "Buyer"],
    ["Verification", person.verifiedLevel && levelTitle(person.verifiedLevel)],
    ["Member since", formatDate(person.memberSince)],
  ];
}

interface Payment {
  id: string;
  what: string;
  state: string;
  /** KES. */
  amount: number;
  receipt: string | null;
  /** Ms since 1970. */
  at: number;
}

/** What was paid, paid out and refunded for an order. */
export function OrderPayments({ orderId, payments }: { orderId: string; payments: readonly Payment[] }) {
  return (
    <>
      {payments.length > 0 && (
        <ul className="stack stack--tight small numbers" role="list" aria-label="Payments">
          {payments.map((payment) => (
            <li key={payment.id}>
              {formatDateTime(payment.at)}: {payment.what} of {formatKes(payment.amount)}, {payment.state}
              {payment.receipt && ` (${payment.receipt})`}
            </li>
          ))}
        </ul>
      )}
      <Link className="text-link small" to={`/admin/money?show=attempts&q=${orderId}`}>
        View payments for this order
      </Link>
    </>
  );
}

interface Message {
  id: string;
  senderName: string;
  message: string;
  /** Ms since 1970. */
  createdAt: number;
}

interface ConversationPagesProps {
  page: Omit<ThreadPage<unknown>, "messages">;
  /** Whether this page shows older messages. */
  begun: boolean;
  /** What the first page shows. */
  first?: string;
}

/** Links to the older messages of a conversation, and back to its first page. */
export function ConversationPages({
  page: { older, isCutShort },
  begun,
  first = "Newest messages",
}: ConversationPagesProps) {
  const next = isCutShort ? null : older;
  return (
    <>
      {isCutShort && <p className="quiet small">We can't show the older messages right now. Please try again later.</p>}
      {(next || begun) && (
        <nav className="row row--apart" aria-label="Pages of the conversation">
          {next ? (
            <Link className="admin__page" to={`?before=${next}`} preventScrollReset>
              <Icon name="arrow-left" size="small" />
              Older messages
            </Link>
          ) : (
            <span />
          )}
          {begun && (
            <Link className="admin__page" to="?" preventScrollReset>
              {first}
              <Icon name="chevron-right" size="small" />
            </Link>
          )}
        </nav>
      )}
    </>
  );
}

/** What two people wrote to each other. It scrolls, so it must be reachable by keyboard. */
export function Conversation({ messages }: { messages: readonly Message[] }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className="admin__talk" tabIndex={0} role="region" aria-label="Conversation">
      {messages.map((message) => (
        <div key={message.id}>
          <p className="quiet small">
            {message.senderName}, {formatDateTime(message.createdAt)}
          </p>
          <p className="admin__quote">{message.message || "Photo"}</p>
        </div>
      ))}
    </div>
  );
}
