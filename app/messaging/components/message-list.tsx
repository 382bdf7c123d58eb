import { Link } from "react-router";
import { Fragment, type ReactNode, useEffect, useRef } from "react";
import { REMOVED_MESSAGE } from "#app/messaging/message-rules.ts";
import { warningText } from "#app/safety/warning-text-rules.ts";
import { TextWarning } from "#app/ui/forms/text-warning.tsx";
import type { MessageView } from "#app/messaging/conversations/messages.server.ts";
import type { Unsent } from "#app/messaging/sending/unsent-messages.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { useDataSaver } from "#app/ui/browser/data-saver.ts";
import { formatDay, formatTime } from "#app/ui/dates.ts";
import { Icon } from "#app/ui/pictures/icon.tsx";
import { BubbleWords, UnsentBubble } from "./unsent-bubble.tsx";

interface MessageListProps {
  viewerId: string;
  otherName: string;
  messages: readonly MessageView[];
  unsent: readonly Unsent[];
  typing: boolean;
  /** The page of older messages, where a link leads without scripts; null at the beginning. */
  olderPath: string | null;
  loadingOlder: boolean;
  failed: boolean;
  onOlder: () => void;
  /** Ms since 1970, when the server made the page. It defines "today". */
  now: number;
  /** This site's own, for links. */
  origin: string;
  /** A paid item is between the two, so phone numbers and links bring no warning. */
  hasPaid: boolean;
  /** Whether to say what a message is about when that changes. */
  showSubjects: boolean;
  cardOf?: CardRenderer;
}

/** Renders the card of a message's offer or meeting; null for none. The last message about one has its card. */
export type CardRenderer = (message: Pick<MessageView, "offer" | "meeting" | "productName">) => ReactNode;

/**
 * The messages of a conversation, oldest first, scrolled to the end. Older ones load when the beginning comes into
 * view.
 */
export function MessageList({
  viewerId,
  otherName,
  messages,
  unsent,
  typing,
  olderPath,
  loadingOlder,
  failed,
  onOlder,
  now,
  origin,
  hasPaid,
  showSubjects,
  cardOf,
}: MessageListProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const lastUnsent = unsent.at(-1)?.key;
  useEffect(() => {
    // The writer of a new message sees it.
    if (lastUnsent && scroller.current) scroller.current.scrollTop = 0;
  }, [lastUnsent]);
  const lastOwn = messages.findLast(({ senderId }) => senderId === viewerId)?.id;
  return (
    // Keyboard users must be able to scroll it. As a log, it is read out when it grows, except when older messages are
    // added.
    <div
      className="thread"
      ref={scroller}
      role="log"
      aria-live={loadingOlder ? "off" : "polite"}
      aria-label={`Messages with ${otherName}`}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
    >
      <div className="thread__inner">
        {olderPath && (
          <Older to={olderPath} loading={loadingOlder} failed={failed} onOlder={onOlder} scroller={scroller} />
        )}
        <ol className="thread__list" role="list">
          {messages.map((message, at) => (
            <Fragment key={message.id}>
              <DayLine
                day={formatDay(message.createdAt, now)}
                before={messages[at - 1] && formatDay(messages[at - 1]?.createdAt ?? 0, now)}
              />
              {showSubjects && message.productId && message.productId !== messages[at - 1]?.productId && (
                <SubjectLine message={message} />
              )}
              <Bubble
                message={message}
                mine={message.senderId === viewerId}
                state={message.id === lastOwn && unsent.length === 0}
                origin={origin}
                hasPaid={hasPaid}
              />
              {cardOf && (message.offer || message.meeting) && isLastStep(messages, at) && (
                <li className={classNames("thread__card", message.senderId === viewerId && "thread__card--mine")}>
                  {cardOf(message)}
                </li>
              )}
            </Fragment>
          ))}
          {unsent.map((message) => (
            <UnsentBubble key={message.key} message={message} origin={origin} />
          ))}
        </ol>
        {typing && (
          // It comes and goes, so it isn't read out.
          <p className="thread__typing small quiet" aria-live="off">
            {otherName} is typing…
          </p>
        )}
      </div>
    </div>
  );
}

/** No later message is about the same offer or meeting. */
function isLastStep(messages: readonly MessageView[], at: number): boolean {
  const step = messages[at];
  const last = messages.findLastIndex(
    ({ offer, meeting }) => offer?.id === step?.offer?.id && meeting?.itemId === step?.meeting?.itemId,
  );
  return last === at;
}

/** Loads older messages as soon as the top comes into view. Without scripts it leads to them. */
function Older({
  to,
  loading,
  failed,
  onOlder,
  scroller,
}: {
  to: string;
  loading: boolean;
  failed: boolean;
  onOlder: () => void;
  scroller: React.RefObject<HTMLDivElement | null>;
}) {
  const end = useRef<HTMLDivElement>(null);
  const ask = useRef(onOlder);
  const saver = useDataSaver();
  useEffect(() => {
    ask.current = onOlder;
  });
  useEffect(() => {
    if (loading || failed || saver || !end.current) return;
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && ask.current(),
      { root: scroller.current, rootMargin: "200px 0px 0px" },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [loading, failed, saver, scroller]);
  return (
    <div className="thread__older" ref={end}>
      <LinkButton
        to={to}
        variant="ghost"
        size="small"
        aria-busy={loading}
        onClick={(event) => {
          event.preventDefault();
          onOlder();
        }}
      >
        {failed ? "Failed to load messages. Try Again" : "Show older messages"}
      </LinkButton>
    </div>
  );
}

function DayLine({ day, before }: { day: string; before: string | undefined }) {
  return day === before ? null : <li className="thread__day">{day}</li>;
}

function SubjectLine({ message }: { message: MessageView }) {
  return (
    <li className="thread__subject">
      About{" "}
      <Link className="text-link" to={`/product/${message.productId}`}>
        {message.productName || "an item"}
      </Link>
    </li>
  );
}

function Bubble({
  message,
  mine,
  state,
  origin,
  hasPaid,
}: {
  message: MessageView;
  mine: boolean;
  state: boolean;
  origin: string;
  hasPaid: boolean;
}) {
  const warning = mine ? null : warningText(message.warning, hasPaid);
  return (
    <li className={classNames("bubble", mine && "bubble--mine")}>
      <BubbleWords
        who={mine ? "You" : message.senderName}
        text={message.message}
        photos={message.images}
        origin={origin}
      />
      {message.removed && <p className="bubble__text bubble__text--removed">{REMOVED_MESSAGE}</p>}
      {message.kind === "agreement" && (
        <p className="bubble__agreed small">
          <Icon name="circle-check" size="small" />
          {mine ? "You agreed" : "Agreed"}
        </p>
      )}
      <TextWarning>{warning}</TextWarning>
      <p className="bubble__time small quiet">
        {formatTime(message.createdAt)}
        {!mine && !message.removed && (
          <Link className="bubble__report" to={`/report/message/${message.id}`} aria-label="Report this message">
            <Icon name="flag" size="small" />
          </Link>
        )}
        {state && (
          <span className={classNames("bubble__state", message.read && "bubble__state--read")}>
            {message.read ? "Read" : "Sent"}
          </span>
        )}
      </p>
    </li>
  );
}
