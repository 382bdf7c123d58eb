import "./messaging.css";
import { Suspense, useEffect, useState } from "react";
import { Link, useFetcher, useRevalidator } from "react-router";
import { imageSources } from "#app/catalogue/photos/image-sources.ts";
import type {
  About,
  ConversationView,
  Inbox as InboxData,
  OpenConversation,
} from "#app/messaging/conversations/conversations.server.ts";
import { withOpened } from "#app/messaging/conversations/conversation-list.ts";
import { subscribeLive } from "#app/live/live-state.ts";
import { messageBoxId } from "#app/messaging/message-box.ts";
import { MESSAGE_TEXTS } from "#app/messaging/message-rules.ts";
import { CountBadge } from "#app/ui/badge.tsx";
import { LinkButton } from "#app/ui/button.tsx";
import { LiveRegion } from "#app/ui/feedback/live-region.tsx";
import { Callout } from "#app/ui/feedback/callout.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { formatDay, formatTime } from "#app/ui/dates.ts";
import { Avatar } from "#app/ui/pictures/avatar.tsx";
import { Icon } from "#app/ui/pictures/icon.tsx";
import type { FailedPage } from "#app/ui/browser/failed-page.ts";
import { MoreLink } from "#app/ui/more-link.tsx";
import { Photo } from "#app/ui/pictures/photo.tsx";
import { EmptyState } from "#app/ui/feedback/state.tsx";
import { TextLink } from "#app/ui/text-link.tsx";
import { useMorePages } from "#app/ui/browser/use-more-pages.ts";
import { useWhenIdle } from "#app/ui/browser/use-when-idle.ts";
import { Conversation } from "./conversation.tsx";
import { ConversationMenu } from "./conversation-menu.tsx";
import type { CardRenderer } from "./message-list.tsx";

/** Messages within this time reload the list once, in ms. */
const TOGETHER_MS = 250;

const PATH = "/profile?tab=messages";

interface InboxProps extends InboxData {
  viewerId: string;
  /** The person that the address names; null for none. */
  withId: string | null;
  /** The address names an older page of the conversation's messages. */
  isOlder: boolean;
  /** Ms since 1970, when the server made the page. */
  now: number;
  /** This site's own, for links. */
  origin: string;
  messageKey: string;
  cardOf: CardRenderer;
}

/**
 * The inbox: the list of conversations, and the open one. On a wide screen they are side by side. On a phone each is a
 * view with its own address, so that the browser's Back works.
 */
export function Inbox({ conversations, next, open, withId, now, ...pane }: InboxProps) {
  useInboxReload();
  if (conversations.length === 0 && withId === null) {
    return (
      <EmptyState
        icon="message-circle"
        title="No messages yet"
        sentence="Message a seller about something you like. Your conversations will appear here."
        action={<LinkButton to="/studentmarketplace">Start Shopping</LinkButton>}
      />
    );
  }
  return (
    <section className={classNames("inbox", withId !== null && "inbox--open")} aria-label="Messages">
      {withId !== null && <h1 className="visually-hidden inbox__title">Messages</h1>}
      <ConversationList first={{ conversations, next }} open={open?.conversation ?? null} openId={withId} now={now} />
      <div className="inbox__pane">
        {open ? (
          <Pane {...pane} key={open.conversation.id} open={open} now={now} />
        ) : (
          <div className="inbox__nothing">
            {withId === null ? (
              <EmptyState
                icon="message-circle"
                title="Your conversations"
                sentence="Choose a conversation to read and reply."
              />
            ) : (
              <EmptyState
                icon="search"
                title="Conversation not found"
                sentence="You haven't messaged each other yet."
                action={<LinkButton to={PATH}>All Messages</LinkButton>}
              />
            )}
          </div>
        )}
      </div>
    </section>
  );
}

/** Reloads the inbox when a message is written or read, and when an order changes: a payment ends the warnings. */
function useInboxReload(): void {
  const { revalidate } = useRevalidator();
  const whenIdle = useWhenIdle();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = subscribeLive(({ type }) => {
      if (type !== "message" && type !== "read" && type !== "order" && type !== "missed") return;
      clearTimeout(timer);
      timer = setTimeout(() => void whenIdle().then(revalidate), TOGETHER_MS);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [revalidate, whenIdle]);
}

interface ListPage {
  conversations: ConversationView[];
  next: string | null;
}

interface ConversationListProps {
  first: ListPage;
  open: ConversationView | null;
  openId: string | null;
  now: number;
}

/** The viewer's conversations, the newest first. "Show more" appends the next page; without scripts it leads to it. */
function ConversationList({ first, open, openId, now }: ConversationListProps) {
  const fetcher = useFetcher<{ inbox: ListPage } | FailedPage>();
  const pages = useMorePages({ inbox: first }, fetcher, {
    rowsOf: ({ inbox }) => inbox.conversations,
    nextOf: ({ inbox: { next } }) => next && `${PATH}&after=${next}`,
  });
  const { rows, nextPath, isSeveral } = pages;
  const [opened, setOpened] = useState<ConversationView[]>([]);
  if (open && !opened.includes(open)) setOpened([open, ...opened.filter(({ id }) => id !== open.id)]);
  return (
    <nav className="inbox__list" aria-label="Conversations">
      <ul role="list">
        {withOpened(rows, opened).map((conversation) => (
          <li key={conversation.id}>
            <Row conversation={conversation} current={conversation.id === openId} now={now} />
          </li>
        ))}
      </ul>
      <LiveRegion text={isSeveral ? `${rows.length} conversations shown` : ""} />
      {nextPath && <MoreLink to={nextPath} fetcher={fetcher} variant="ghost" />}
    </nav>
  );
}

function Row({ conversation, current, now }: { conversation: ConversationView; current: boolean; now: number }) {
  const { id, name, photoUrl, lastText, lastAt, lastIsMine, unread, about } = conversation;
  const day = formatDay(lastAt, now);
  return (
    <Link
      className={classNames("inbox-row", unread > 0 && "inbox-row--unread")}
      to={`${PATH}&with=${id}`}
      aria-current={current ? "true" : undefined}
      preventScrollReset
    >
      <span className="inbox-row__picture">
        {about && <Photo {...imageSources(about.image, "56px")} alt="" fill />}
        <Avatar name={name} url={photoUrl} className={about ? "inbox-row__face" : undefined} />
      </span>
      <span className="inbox-row__words">
        <span className="inbox-row__line">
          <span className="inbox-row__name">{name}</span>
          <span className="inbox-row__time small quiet">{day === "Today" ? formatTime(lastAt) : day}</span>
        </span>
        <span className="inbox-row__line">
          <span className="inbox-row__text small quiet">
            {lastIsMine && "You: "}
            {lastText}
          </span>
          {unread > 0 && (
            <span className="inbox-row__count">
              <span className="visually-hidden">, {unread} unread</span>
              <CountBadge count={unread} />
            </span>
          )}
        </span>
        {about && <span className="inbox-row__about small quiet">{subjectWords(about)}</span>}
      </span>
    </Link>
  );
}

function subjectWords(about: About): string {
  return [about.productName, about.orderName].filter(Boolean).join(" · ");
}

/** The page of the conversation's subject: the buyer's order, the seller's view of it, or the listing. */
function subjectPath(about: About): string {
  if (about.orderId && about.orderItemId)
    return about.selling ? `/seller/orders/${about.orderItemId}` : `/orders/${about.orderId}`;
  return `/product/${about.productId}`;
}

interface PaneProps extends Pick<InboxProps, "viewerId" | "isOlder" | "now" | "origin" | "messageKey" | "cardOf"> {
  open: OpenConversation;
}

function Pane({ open, viewerId, isOlder, now, origin, messageKey, cardOf }: PaneProps) {
  const { conversation, campusLocation, isGone, blockedByMe, hasPaid, hasMeeting } = open;
  const { id: otherId, name, photoUrl } = conversation;
  // New messages have the subject of the last one, until the user changes it.
  const [dropped, setDropped] = useState<string | null>(null);
  const about = conversation.about && subjectField(conversation.about) !== dropped ? conversation.about : null;
  return (
    <>
      <header className="inbox__head">
        <Link className="inbox__back" to={PATH} aria-label="All messages">
          <Icon name="arrow-left" />
        </Link>
        <Avatar name={name} url={photoUrl} />
        <div className="inbox__who">
          <h2>{name}</h2>
          {campusLocation && <p className="quiet small">{campusLocation}</p>}
        </div>
        {!isGone && (
          <Suspense fallback={<span className="inbox__menu-button" />}>
            <ConversationMenu otherId={otherId} name={name} blocked={blockedByMe} />
          </Suspense>
        )}
      </header>
      {conversation.about && <Subject about={conversation.about} />}
      {hasMeeting !== null && !isGone && !blockedByMe && (
        <p className="inbox__meeting row">
          <TextLink to={`/meetings/${conversation.about?.orderItemId}`}>
            {hasMeeting ? "See the meeting" : "Suggest a place and time"}
          </TextLink>
        </p>
      )}
      {isOlder && (
        <p className="inbox__meeting row">
          <TextLink to={`${PATH}&with=${otherId}`}>See the newest messages</TextLink>
        </p>
      )}
      <Conversation
        viewerId={viewerId}
        scope={{ with: otherId }}
        otherName={name}
        first={open}
        now={now}
        origin={origin}
        messageKey={messageKey}
        hasPaid={hasPaid}
        about={about && subjectField(about)}
        label={`Message ${name}`}
        boxId={messageBoxId(otherId)}
        showSubjects
        cardOf={cardOf}
        closed={closedBecause({ isGone, blockedByMe })}
        subject={
          about && (
            <p className="composer__subject small quiet">
              <span>About {subjectWords(about)}</span>
              <button
                type="button"
                className="scripted"
                aria-label="Remove the item from this message"
                onClick={() => setDropped(subjectField(about))}
              >
                <Icon name="x" size="small" />
              </button>
            </p>
          )
        }
      />
    </>
  );
}

function closedBecause({ isGone, blockedByMe }: { isGone: boolean; blockedByMe: boolean }) {
  if (isGone) return <Callout>This account no longer exists. You can still read your messages.</Callout>;
  return blockedByMe ? <Callout>{MESSAGE_TEXTS.blocked_by_me}</Callout> : undefined;
}

function subjectField(about: About): string {
  return about.orderItemId ? `item:${about.orderItemId}` : `product:${about.productId}`;
}

/** The subject of the conversation, with a link to it. */
function Subject({ about }: { about: About }) {
  return (
    <Link className="inbox__subject" to={subjectPath(about)}>
      <span className="inbox__subject-photo">
        <Photo {...imageSources(about.image, "40px")} alt="" fill />
      </span>
      <span className="inbox__subject-words">
        <span className="inbox__subject-name">{about.productName}</span>
        <span className="quiet small">{about.orderName ?? "See the listing"}</span>
      </span>
      <Icon name="chevron-right" size="small" />
    </Link>
  );
}
