import type { DeskAnswer } from "#app/admin/desk-answer.ts";
import { DESK_TEXT_MAX } from "#app/admin/rules.ts";
import { Field } from "#app/ui/field.tsx";
import { TextArea } from "#app/ui/form-fields.tsx";
import { DeskForm, More } from "./desk-parts.tsx";

interface WordsProps {
  subject: string;
  intent: string;
  field: string;
  title: string;
  hint: string;
  button: string;
  tone: "gold" | "gray" | "red";
  answer: DeskAnswer | null;
}

/** A decision with the words that go with it. */
export function Words({ subject, intent, field, title, hint, button, tone, answer }: WordsProps) {
  return (
    <DeskForm subject={subject} intent={intent} answer={answer} label={button} tone={tone} variant={tone === "gold" ? "solid" : "soft"}>
      {(error) => (
        <Field label={title} hint={hint} error={error(field)}>
          {(control) => <TextArea {...control} name={field} rows={2} maxLength={DESK_TEXT_MAX} />}
        </Field>
      )}
    </DeskForm>
  );
}

const SUSPENSIONS = {
  user: { suspend: "Suspend This Account", ask: "Suspend this account", restore: "Restore This Account", hint: "They read this in a mail. Every session ends at once, and their listings are taken down." },
  listing: { suspend: "Take This Listing Down", ask: "Take this listing down", restore: "Put This Listing Up Again", hint: "The seller reads this in a mail." },
} as const;

/** Suspends an account or a listing, with the reason; or takes that back. */
export function Suspension({ subject, what, suspended, answer }: { subject: string; what: keyof typeof SUSPENSIONS; suspended: boolean; answer: DeskAnswer | null }) {
  const texts = SUSPENSIONS[what];
  if (suspended) return <DeskForm subject={subject} intent={`restore-${what}`} answer={answer} label={texts.restore} />;
  return (
    <More label={texts.ask} open={answer?.subject === `suspend-${what}:${subject}`}>
      <Words subject={subject} intent={`suspend-${what}`} field="reason" title="Reason" hint={texts.hint} button={texts.suspend} tone="red" answer={answer} />
    </More>
  );
}
