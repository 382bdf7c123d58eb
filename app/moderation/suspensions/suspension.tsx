import type { AdminFormAnswer } from "#app/team/form-answer.ts";
import { AdminForm, WordsForm } from "#app/team/components/admin-form.tsx";

const SUSPENSIONS = {
  user: {
    suspend: "Suspend This Account",
    ask: "Suspend this account",
    restore: "Restore This Account",
    hint: "We'll email them this reason. They're logged out everywhere, and their listings are taken down.",
  },
  listing: {
    suspend: "Take This Listing Down",
    ask: "Take this listing down",
    restore: "Restore This Listing",
    hint: "We'll email this to the seller.",
  },
} as const;

/** Suspends an account or a listing with a reason, or restores it. */
export function Suspension({
  subject,
  what,
  suspended,
  answer,
}: {
  subject: string;
  what: keyof typeof SUSPENSIONS;
  suspended: boolean;
  answer: AdminFormAnswer | null;
}) {
  const texts = SUSPENSIONS[what];
  if (suspended)
    return <AdminForm subject={subject} intent={`restore-${what}`} answer={answer} label={texts.restore} />;
  return (
    <WordsForm
      opener={texts.ask}
      subject={subject}
      intent={`suspend-${what}`}
      field="reason"
      title="Reason"
      hint={texts.hint}
      label={texts.suspend}
      danger
      answer={answer}
    />
  );
}
