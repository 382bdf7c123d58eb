import { type ReactNode, useEffect, useRef } from "react";
import { useLocation } from "react-router";
import { levelTitle, type VerifiedLevel } from "#app/accounts/trust/verified-rules.ts";
import { ACTION_WORDS } from "./case-texts.ts";
import { formatDate, formatDateTime } from "#app/ui/dates.ts";
import type { AdminRole } from "#app/db/states/admin.ts";
import { PhotoStrip } from "#app/catalogue/photos/components/photo-strip.tsx";
import type { TeamMessage, TeamPage } from "#app/messaging/conversations/team-messages.server.ts";
import { EmailAddress } from "#app/ui/email-address.tsx";
import { PageLinks } from "#app/team/components/page-parts.tsx";

/** A titled part of the page of a case, an issue report or a problem. */
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
  adminRole: AdminRole | null;
  isSeller: boolean | null;
  verifiedLevel: VerifiedLevel | null;
  /** Ms since 1970. */
  memberSince: number;
}

/** The first of the `Facts` about a person. */
export function personFacts(person: ShownPerson): [label: string, value: ReactNode][] {
  return [
    ["Email", <EmailAddress key="email" address={person.email} />],
    ["Campus", person.campusLocation],
    ["Account", person.adminRole ? "Admin" : person.isSeller ? "Seller" : "Buyer"],
    ["Verification", person.verifiedLevel && levelTitle(person.verifiedLevel)],
    ["Member since", formatDate(person.memberSince)],
  ];
}

interface ConversationProps {
  page: TeamPage<unknown>;
  /** What the first page shows. */
  first?: string;
  /** What stands where there are no messages. Without it, nothing does. */
  none?: string;
  /** The messages. */
  children: ReactNode;
}

/** What two people wrote to each other, with links to the pages before and after. */
export function Conversation({
  page: { messages, older, newer, direction },
  first = "Newest messages",
  none,
  children,
}: ConversationProps) {
  const { search } = useLocation();
  const isEmpty = messages.length === 0 && !direction;
  if (isEmpty && !none) return null;
  const pathOf = (cursor: { older?: string; newer?: string }) => `?${conversationSearch(search, cursor)}`;
  const firstPage = { to: pathOf({}), words: first };
  return (
    <Part title="Conversation">
      {isEmpty && <p className="quiet small">{none}</p>}
      <PageLinks
        label="Pages of the conversation"
        left={direction === "newer" ? firstPage : older !== null && { to: pathOf({ older }), words: "Older messages" }}
        right={direction === "older" ? firstPage : newer !== null && { to: pathOf({ newer }), words: "Newer messages" }}
        inPlace
      />
      {messages.length > 0 && (
        <MessageBox key={`${direction} ${older} ${newer}`} isNewer={direction === "newer"}>
          {children}
        </MessageBox>
      )}
    </Part>
  );
}

/** The address's parameters at a page of the conversation. The list beside it keeps its own. */
function conversationSearch(search: string, { older, newer }: { older?: string; newer?: string }): string {
  const parameters = new URLSearchParams(search);
  parameters.delete("older");
  parameters.delete("newer");
  if (older !== undefined) parameters.set("older", older);
  if (newer !== undefined) parameters.set("newer", newer);
  return parameters.toString();
}

/**
 * Messages in a box that scrolls. It shows the reported one first, or else begins where its reader left the last page.
 */
function MessageBox({ isNewer, children }: { isNewer: boolean; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const shown = box.current;
    if (!shown || isNewer) return;
    const reported = shown.querySelector(".admin__reported");
    if (!reported) {
      shown.scrollTop = shown.scrollHeight;
      return;
    }
    const [outer, inner] = [shown.getBoundingClientRect(), reported.getBoundingClientRect()];
    shown.scrollTop += inner.top + inner.height / 2 - (outer.top + outer.height / 2);
  }, [isNewer]);
  return (
    // It scrolls, so it must be reachable by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div ref={box} className="admin__talk" tabIndex={0} role="region" aria-label="Conversation">
      {children}
    </div>
  );
}

/** Messages with their photos. */
export function TeamMessages({ messages }: { messages: readonly TeamMessage[] }): ReactNode {
  return messages.map((message) => (
    <div key={message.id}>
      <p className="quiet small">
        {message.senderName}, {formatDateTime(message.createdAt)}
      </p>
      {message.message !== "" && <p className="admin__quote">{message.message}</p>}
      <PhotoStrip label="Photos of the message" images={message.images} name="the message" />
    </div>
  ));
}
