import "./messaging.css";
import { useId } from "react";
import { useLocation, useNavigate } from "react-router";
import { useDraft } from "#app/messaging/sending/drafts.ts";
import { MESSAGE_TEXTS, writeSubject } from "#app/messaging/message-rules.ts";
import { post, useUnsent } from "#app/messaging/sending/unsent-messages.ts";
import { toast } from "#app/ui/feedback/toast.ts";
import { Composer } from "./composer.tsx";
import { UnsentBubble } from "./unsent-bubble.tsx";

export interface SellerMessageProps {
  product: { id: string; name: string; sellerId: string };
  /** Names the message in a form sent without scripts, so that a repeated press sends once. */
  messageKey: string;
  /** This site's own, for links. */
  origin: string;
  /** It stands in a dialog, where openers can be tapped. */
  inDialog: boolean;
  onSent: () => void;
  /** Told whether something is in the box. */
  onBegun: (isBegun: boolean) => void;
}

/** Time to read it and to press its button, in ms. */
const SENT_MS = 8_000;

const OPENERS = ["Is this still available?", "Where can we meet?", "What is your best price?"];

/** The box that writes to the seller of a product. */
export function SellerMessage({ product, messageKey, origin, inDialog, onSent, onBegun }: SellerMessageProps) {
  const conversationKey = product.sellerId;
  const [text, setText] = useDraft(conversationKey);
  const unsent = useUnsent(conversationKey);
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const boxId = useId();
  const fields = { to: product.sellerId, about: writeSubject({ kind: "product", id: product.id }) };

  function onOutcome(failure: string | null) {
    if (failure !== null) return toast.error(failure);
    toast.success(MESSAGE_TEXTS.sent, {
      duration: SENT_MS,
      action: { label: "See Chat", onPress: () => void navigate(`/profile?tab=messages&with=${product.sellerId}`) },
    });
    onSent();
  }

  function begin(opener: string) {
    setText(opener);
    // The openers go away, and the focus would with them.
    document.getElementById(boxId)?.focus();
  }

  return (
    <div className="message-in-page stack stack--tight">
      {unsent.length > 0 && (
        <ol className="thread__list" role="list">
          {unsent.map((message) => (
            <UnsentBubble key={message.key} message={message} origin={origin} />
          ))}
        </ol>
      )}
      {inDialog && text === "" && unsent.length === 0 && (
        <div className="message-openers">
          {OPENERS.map((opener) => (
            <button key={opener} type="button" className="chip" onClick={() => begin(opener)}>
              {opener}
            </button>
          ))}
        </div>
      )}
      <Composer
        conversationKey={conversationKey}
        toId={product.sellerId}
        label="Your message"
        boxId={boxId}
        sendLabel="Send"
        primary
        fields={{ ...fields, key: messageKey }}
        from={pathname + search}
        onBegun={onBegun}
        onSend={(written, photos) => post({ conversationKey, text: written, photos, fields }, onOutcome)}
      />
    </div>
  );
}
