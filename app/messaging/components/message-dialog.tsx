import "./messaging.css";
import { useState } from "react";
import { useLocation } from "react-router";
import { useDraft } from "#app/messaging/drafts.ts";
import { post, useUnsent } from "#app/messaging/unsent-messages.ts";
import { MESSAGE_TEXTS, writeSubject } from "#app/messaging/message-rules.ts";
import { toast } from "#app/ui/feedback/toast.ts";
import { Composer } from "./composer.tsx";
import { FirstMessage } from "./first-message.tsx";
import { UnsentBubble } from "./unsent-bubble.tsx";

interface MessageDialogProps {
  product: { id: string; name: string; sellerId: string };
  recipientName: string;
  /** Names the message in a form sent without scripts, so that a repeated press sends once. */
  messageKey: string;
  /** This site's own, for links. */
  origin: string;
  /** They have pressed "Message the seller" on the public page. */
  startsOpen?: boolean;
}

const OPENERS = ["Is this still available?", "Where can we meet?", "What is your best price?"];

/** "Message" on a product's page: a button, and the dialog that writes to its seller. It closes when the message is sent. */
export function MessageDialog({ product, recipientName, messageKey, origin, startsOpen = false }: MessageDialogProps) {
  const conversationKey = product.sellerId;
  const [open, setOpen] = useState(startsOpen);
  const [text, setText] = useDraft(conversationKey);
  const unsent = useUnsent(conversationKey);
  const { pathname, search } = useLocation();
  const fields = { to: product.sellerId, about: writeSubject({ kind: "product", id: product.id }) };

  function onOutcome(failure: string | null) {
    if (failure !== null) return toast.error(failure);
    toast.success(MESSAGE_TEXTS.sent);
    setOpen(false);
  }

  return (
    <FirstMessage
      button="Message"
      title={`Message ${recipientName}`}
      description={`About ${product.name}`}
      primary={false}
      open={open}
      onOpenChange={setOpen}
    >
      <div className="message-in-page stack stack--tight">
        {unsent.length > 0 && (
          <ol className="thread__list" role="list">
            {unsent.map((message) => (
              <UnsentBubble key={message.key} message={message} origin={origin} />
            ))}
          </ol>
        )}
        {open && text === "" && unsent.length === 0 && (
          <div className="message-openers">
            {OPENERS.map((opener) => (
              <button key={opener} type="button" className="chip" onClick={() => setText(opener)}>
                {opener}
              </button>
            ))}
          </div>
        )}
        <Composer
          conversationKey={conversationKey}
          toId={product.sellerId}
          label="Your message"
          sendLabel="Send"
          primary
          fields={{ ...fields, key: messageKey }}
          from={pathname + search}
          onSend={(written, photos) => post({ conversationKey, text: written, photos, fields }, onOutcome)}
        />
      </div>
    </FirstMessage>
  );
}
