import "./messaging.css";
import type { ReactNode } from "react";
import { useLocation } from "react-router";
import type { MessagePage } from "#app/messaging/conversations/messages.server.ts";
import { AskForPush } from "#app/notifications/components/ask-for-push.tsx";
import { post, useUnsent } from "#app/messaging/sending/unsent-messages.ts";
import { waitsForAnswer } from "#app/messaging/conversations/conversation-rules.ts";
import { Composer, type ComposerProps } from "./composer.tsx";
import { MessageList, type CardRenderer } from "./message-list.tsx";
import { type ConversationScope, conversationKeyOf, useConversation } from "./use-conversation.ts";

interface ConversationProps {
  viewerId: string;
  scope: ConversationScope;
  otherName: string;
  first: MessagePage;
  /** Ms since 1970, when the server made the page. */
  now: number;
  /** This site's own, for links. */
  origin: string;
  /** The key of a message that is sent without scripts. A repeated press sends it once. */
  messageKey: string;
  /** A paid item is between the two. Before that, readers are warned about messages that lead away from Chuoni. */
  hasPaid: boolean;
  /** The subject of new messages: "item:{id}", "product:{id}", or "" for none. */
  about: string | null;
  /** Shown above the box: the subject in words. */
  subject?: ReactNode;
  label: string;
  /** The box's id, for links to it. */
  boxId?: string;
  sendLabel?: string;
  primary?: boolean;
  /** Before the first message: what to show in place of the box, which it receives. */
  renderOpener?: (box: ReactNode) => ReactNode;
  /**
   * Somebody writes in the opener. It stays until they have sent or closed it, also when the other side writes first.
   */
  isOpenerOpen?: boolean;
  showSubjects?: boolean;
  cardOf?: CardRenderer;
  /** Why nobody can write here. It replaces the box. */
  closed?: ReactNode;
  /** Called with the result of each message: null, or why it wasn't sent. */
  onOutcome?: (failure: string | null) => void;
  /** Called when a message leaves the box. */
  onSend?: () => void;
}

/** A conversation with its box, for any page. A new message shows at once. */
export function Conversation({
  viewerId,
  scope,
  otherName,
  first,
  now,
  origin,
  messageKey,
  hasPaid,
  about,
  subject,
  label,
  boxId,
  sendLabel = "Send",
  primary,
  renderOpener,
  isOpenerOpen = false,
  showSubjects = false,
  cardOf,
  closed,
  onOutcome,
  onSend,
}: ConversationProps) {
  const { messages, older, typing, loadingOlder, failed, loadOlder } = useConversation(viewerId, scope, first);
  const conversationKey = conversationKeyOf(scope);
  const waiting = useUnsent(conversationKey);
  const { pathname, search } = useLocation();
  const sent = new Set(messages.map(({ key }) => key));
  const unsent = waiting.filter(({ key }) => !sent.has(key));
  const fields = { to: scope.with, ...(about ? { about } : {}) };
  const empty = messages.length === 0 && unsent.length === 0 && older === null;
  const composer = {
    conversationKey,
    toId: scope.with,
    label,
    fields: { ...fields, key: messageKey },
    // An older page wouldn't show the message.
    from: (pathname + search).replace(/&before=[^&]*/, ""),
    subject,
    onSend: (text, photos) => {
      post({ conversationKey, text, photos, fields }, onOutcome ?? (() => {}));
      onSend?.();
    },
  } satisfies Partial<ComposerProps>;
  return (
    <div className="conversation">
      {!empty && (
        <MessageList
          viewerId={viewerId}
          otherName={otherName}
          messages={messages}
          unsent={unsent}
          typing={typing}
          olderPath={older && `/profile?tab=messages&with=${scope.with}&before=${older}`}
          loadingOlder={loadingOlder}
          failed={failed}
          onOlder={loadOlder}
          now={now}
          origin={origin}
          hasPaid={hasPaid}
          showSubjects={showSubjects}
          cardOf={cardOf}
        />
      )}
      {!closed && !empty && waitsForAnswer(messages.at(-1), viewerId, now) && <AskForPush reason="message" />}
      {closed ??
        ((empty || isOpenerOpen) && renderOpener ? (
          renderOpener(<Composer {...composer} key={conversationKey} sendLabel="Send" primary />)
        ) : (
          <Composer {...composer} key={conversationKey} boxId={boxId} sendLabel={sendLabel} primary={primary} />
        ))}
    </div>
  );
}
