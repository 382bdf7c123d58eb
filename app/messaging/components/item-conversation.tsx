import "./messaging.css";
import { useEffect, useRef } from "react";
import { useFetcher } from "react-router";
import type { MessageView } from "#app/messaging/messages.server.ts";
import { MESSAGE_MAX_LENGTH } from "#app/messaging/rules.ts";
import { Callout } from "#app/ui/callout.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { formatDateTime } from "#app/ui/dates.ts";
import { Field } from "#app/ui/field.tsx";
import { SubmitButton } from "#app/ui/submit-button.tsx";
import { TextArea } from "#app/ui/text-field.tsx";
import { type ActionResult, useResultToast } from "#app/ui/use-result-toast.ts";

/** What a form about one item came to. */
export interface ItemResult extends ActionResult {
  itemId: string;
}

interface ItemConversationProps {
  itemId: string;
  viewerId: string;
  messages: readonly MessageView[];
  /** Sent along, so that a repeated press sends once. */
  messageKey: string;
  /** Who reads what is written here: "Write to Wanjiku". */
  label: string;
  /** The button's words. */
  sendLabel?: string;
  /** The one thing to do next is to write. */
  primary?: boolean;
  /** The page's own answer, where scripts do not run. */
  result: ItemResult | null;
}

/** What buyer and seller wrote about an item, and a box to go on. What is being sent shows at once. */
export function ItemConversation({ itemId, viewerId, messages, messageKey, label, sendLabel = "Send", primary, result }: ItemConversationProps) {
  const fetcher = useFetcher<ItemResult>();
  const form = useRef<HTMLFormElement>(null);
  useResultToast(fetcher.data);
  useEffect(() => {
    if (fetcher.data?.ok) form.current?.reset();
  }, [fetcher.data]);

  const shown = fetcher.data ?? (result?.itemId === itemId ? result : null);
  const sending = fetcher.formData ? String(fetcher.formData.get("text") ?? "").trim() : "";
  const arrived = messages.at(-1)?.message === sending;
  return (
    <div className="stack">
      {(messages.length > 0 || sending) && (
        <ol className="thread" role="list" aria-label="Messages">
          {messages.map((message) => (
            <Bubble key={message.id} mine={message.senderId === viewerId} name={message.senderName} text={message.message} at={message.createdAt} />
          ))}
          {sending && !arrived && <Bubble mine name="You" text={sending} at={null} />}
        </ol>
      )}
      {shown && !shown.ok && (
        <Callout tone="red" role="alert">
          {shown.message}
        </Callout>
      )}
      <fetcher.Form method="post" className="stack stack--tight" ref={form}>
        <input type="hidden" name="itemId" value={itemId} />
        <input type="hidden" name="key" value={messageKey} />
        <Field label={label} id={`message-${itemId}`}>
          {(control) => <TextArea {...control} name="text" rows={2} required maxLength={MESSAGE_MAX_LENGTH} />}
        </Field>
        <div>
          <SubmitButton
            name="intent"
            value="message"
            icon="send"
            size="medium"
            wide={primary === true}
            variant={primary ? "solid" : "soft"}
            busy={fetcher.state !== "idle"}
            busyLabel="Sending..."
          >
            {sendLabel}
          </SubmitButton>
        </div>
      </fetcher.Form>
    </div>
  );
}

function Bubble({ mine, name, text, at }: { mine: boolean; name: string; text: string; at: number | null }) {
  return (
    <li className={classNames("bubble", mine && "bubble--mine")}>
      <p className="bubble__text">
        <span className="visually-hidden">{mine ? "You" : name}: </span>
        {text}
      </p>
      <p className="bubble__time">{at === null ? "Sending..." : formatDateTime(at)}</p>
    </li>
  );
}
