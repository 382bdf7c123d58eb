import "./messaging.css";
import type { ReactNode } from "react";
import { useLocation } from "react-router";
import type { MessagePage } from "#app/messaging/messages.server.ts";
import { post, useUnsent } from "#app/messaging/outbox.ts";
import { Composer, type ComposerProps } from "./composer.tsx";
import { FirstMessage, type FirstMessageWords } from "./first-message.tsx";
import { MessageList } from "./message-list.tsx";
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
  /** What a message is called that is sent without scripts, so that a repeated press sends once. */
  messageKey: string;
  /** What is written is about: "item:{id}", "product:{id}" or nothing in particular. */
  about: string | null;
  /** Above the box: what it is about, in words. */
  subject?: ReactNode;
  label: string;
  /** The box's id, for those who link to it. */
  boxId?: string;
  sendLabel?: string;
  primary?: boolean;
  /** While nothing has been written: the button to write with, and its dialog, instead of the box. */
  opener?: FirstMessageWords;
  showSubjects?: boolean;
  /** Instead of the box: why nothing can be written. */
  closed?: ReactNode;
  /** Hears how each message went: null, or why it was not sent. */
  onOutcome?: (failure: string | null) => void;
}

/** A conversation with its box, wherever it stands. What is written shows at once. */
export function Conversation({
  viewerId,
  scope,
  otherName,
  first,
  now,
  origin,
  messageKey,
  about,
  subject,
  label,
  boxId,
  sendLabel = "Send",
  primary,
  opener,
  showSubjects = false,
  closed,
  onOutcome,
}: ConversationProps) {
  const { messages, older, typing, loadingOlder, failed, loadOlder } = useConversation(viewerId, scope, first);
  const conversationKey = conversationKeyOf(scope);
  const waiting = useUnsent(conversationKey);
  const { pathname, search } = useLocation();
  const sent = new Set(messages.map(({ key }) => key));
  const unsent = waiting.filter(({ key }) => !sent.has(key));
  const fields = { to: scope.with, ...(about ? { about } : {}) };
  const empty = messages.length === 0 && unsent.length === 0;
  const composer = {
    conversationKey,
    toId: scope.with,
    label,
    fields: { ...fields, key: messageKey },
    from: pathname + search,
    subject,
    onSend: (text, photos) => post({ conversationKey, text, photos, fields }, onOutcome ?? (() => {})),
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
          hasOlder={older !== null}
          loadingOlder={loadingOlder}
          failed={failed}
          onOlder={loadOlder}
          now={now}
          origin={origin}
          showSubjects={showSubjects}
        />
      )}
      {closed ??
        (empty && opener ? (
          <FirstMessage {...opener} id={boxId}>
            <Composer {...composer} sendLabel="Send" primary />
          </FirstMessage>
        ) : (
          <Composer {...composer} boxId={boxId} sendLabel={sendLabel} primary={primary} />
        ))}
    </div>
  );
}
