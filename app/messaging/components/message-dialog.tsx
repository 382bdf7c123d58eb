import "./messaging.css";
import { type ReactNode, useState } from "react";
import { useFetcher, useSearchParams } from "react-router";
import { MESSAGE_MAX_LENGTH, MESSAGE_TEXTS } from "#app/messaging/rules.ts";
import { Callout } from "#app/ui/callout.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { DialogLink } from "#app/ui/dialog-link.tsx";
import { Field } from "#app/ui/field.tsx";
import { SubmitButton } from "#app/ui/submit-button.tsx";
import { TextArea } from "#app/ui/form-fields.tsx";
import { type ActionResult, useResultToast } from "#app/ui/use-result-toast.ts";

interface MessageDialogProps {
  /** The name of the recipient. */
  recipient: string;
  /** What the message is about. */
  productName: string;
  /** Sent with the message, so that a repeated press sends it once. */
  messageKey: string;
  /** The result of the last message, for browsers without scripts. */
  result: ActionResult | null;
}

/** The fragment of the address that shows the box on the page itself, for browsers without scripts. */
const IN_PAGE = "message";

const OPENERS = ["Is this still available?", "Where can we meet?", "What is your best price?"];

/** "Message" on a product's page: a button that opens a dialog to write to the seller. */
export function MessageDialog({ recipient, productName, messageKey, result }: MessageDialogProps) {
  const [open, setOpen] = useState(false);
  const [text, setText] = useState("");
  const [searchParams] = useSearchParams();
  const fetcher = useFetcher<ActionResult>();
  const answer = fetcher.data;
  const [adopted, setAdopted] = useState(answer);
  useResultToast(answer);

  if (answer !== adopted) {
    setAdopted(answer);
    if (answer?.ok) {
      setOpen(false);
      setText("");
    }
  }

  const title = `Message ${recipient}`;
  const inPage = searchParams.has(IN_PAGE);
  const form = (
    <fetcher.Form method="post" className="stack stack--tight">
      <MessageFields
        text={text}
        onText={setText}
        messageKey={messageKey}
        inPage={inPage}
        busy={fetcher.state !== "idle"}
        failure={answer && !answer.ok && fetcher.state === "idle" ? answer.message : null}
      />
    </fetcher.Form>
  );
  if (inPage) {
    return (
      <section className="message-in-page" aria-label={title}>
        {result && <Callout tone={result.ok ? "green" : "red"}>{result.message}</Callout>}
        {form}
      </section>
    );
  }
  return (
    <>
      <DialogLink to={`?${IN_PAGE}`} variant="soft" tone="gray" icon="message-circle" onOpen={() => setOpen(true)}>
        Message
      </DialogLink>
      <Dialog open={open} onOpenChange={setOpen} title={title} description={`About ${productName}`}>
        {form}
      </Dialog>
    </>
  );
}

interface MessageFieldsProps {
  text: string;
  onText: (text: string) => void;
  messageKey: string;
  /** Without scripts, nothing could enable a disabled button. */
  inPage: boolean;
  busy: boolean;
  failure: ReactNode;
}

function MessageFields({ text, onText, messageKey, inPage, busy, failure }: MessageFieldsProps) {
  return (
    <>
      <input type="hidden" name="key" value={messageKey} />
      {failure && (
        <Callout tone="red" role="alert">
          {failure}
        </Callout>
      )}
      <Field label="Your message">
        {(control) => (
          <TextArea
            {...control}
            name="text"
            rows={4}
            maxLength={MESSAGE_MAX_LENGTH}
            placeholder="Hi! Is this still available?"
            value={text}
            onChange={(event) => onText(event.target.value)}
            onInvalid={(event) => event.currentTarget.setCustomValidity(MESSAGE_TEXTS.empty)}
            onInput={(event) => event.currentTarget.setCustomValidity("")}
            required
          />
        )}
      </Field>
      {!inPage && text === "" && (
        <div className="message-openers">
          {OPENERS.map((opener) => (
            <button key={opener} type="button" className="chip" onClick={() => onText(opener)}>
              {opener}
            </button>
          ))}
        </div>
      )}
      <SubmitButton
        name="intent"
        value="message"
        icon="send"
        busy={busy}
        busyLabel="Sending..."
        disabled={!inPage && text.trim() === ""}
      >
        Send
      </SubmitButton>
    </>
  );
}
