import { capitalized } from "#app/platform/word-rules.ts";
import type { AlarmRow } from "./alarms.server.ts";
import type { FailedEmail } from "./failed-emails.server.ts";
import type { AdminFormAnswer } from "#app/team/form-answer.ts";
import type { Operations } from "./operations.server.ts";
import { ALARMS, storageShare } from "./alarm-rules.ts";
import { formatDateTime } from "#app/ui/dates.ts";
import { EmailAddress } from "#app/ui/email-address.tsx";
import { EmptyState } from "#app/ui/feedback/state.tsx";
import { AdminForm } from "#app/team/components/admin-form.tsx";
import { AdminPage, AdminRow, Facts } from "#app/team/components/page-parts.tsx";

interface OperationsViewProps extends Operations {
  answer: AdminFormAnswer | null;
}

/** What the operators watch. */
export function OperationsView({
  alarms,
  lastRunAt,
  size,
  emails,
  hasMoreEmails,
  counts,
  answer,
}: OperationsViewProps) {
  return (
    <AdminPage title="Operations" lead="How the service runs." counts={counts}>
      <Facts
        facts={[
          ["The job last ran", lastRunAt === null ? "Never" : formatDateTime(lastRunAt)],
          ["Database", `${(size / 1_000_000).toFixed(1)} MB, ${storageShare(size)} % of the most it can hold`],
        ]}
      />
      <section className="stack" aria-labelledby="alarms">
        <h2 id="alarms">Alarms</h2>
        {alarms.length === 0 ? (
          <EmptyState icon="circle-check" title="No alarm is on" />
        ) : (
          <ul className="admin__rows" role="list">
            {alarms.map((alarm) => (
              <AlarmItem key={alarm.name} alarm={alarm} />
            ))}
          </ul>
        )}
      </section>
      <section className="stack" aria-labelledby="failed-emails">
        <h2 id="failed-emails">Emails that weren't sent</h2>
        {emails.length === 0 ? (
          <EmptyState icon="mail-check" title="Every email was sent" />
        ) : (
          <>
            <p className="quiet">We try for 7 days. Once the cause is fixed, send them all at once.</p>
            <AdminForm subject="all" intent="send-all" answer={answer} label="Send All Again" variant="solid" />
            <ul className="admin__rows" role="list">
              {emails.map((email) => (
                <FailedEmailRow key={email.id} email={email} answer={answer} />
              ))}
            </ul>
            {hasMoreEmails && <p className="quiet">There are more. These are the latest.</p>}
          </>
        )}
      </section>
    </AdminPage>
  );
}

function AlarmItem({ alarm: { name, figure, since, calmSince } }: { alarm: AlarmRow }) {
  const { title, steps, ...words } = ALARMS[name];
  return (
    <AdminRow
      id={name}
      head={
        <>
          <h3 className="admin__title">{title}</h3>
          <span className="quiet small numbers">since {formatDateTime(since)}</span>
        </>
      }
    >
      <p>{calmSince === null ? words.figure(figure) : "Better now. It is over after 10 calm minutes."}</p>
      <ul className="admin__list stack stack--tight">
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ul>
    </AdminRow>
  );
}

function FailedEmailRow({ email, answer }: { email: FailedEmail; answer: AdminFormAnswer | null }) {
  return (
    <AdminRow head={<h3 className="admin__title">{nameOf(email.template)}</h3>}>
      <Facts
        facts={[
          ["To", <EmailAddress key="to" address={email.to} />],
          ["Queued", formatDateTime(email.createdAt)],
          ["Tries", email.attempts],
          ["Next try", email.nextTryAt === null ? "Given up" : formatDateTime(email.nextTryAt)],
          ["Error", email.error],
        ]}
      />
      <AdminForm subject={email.id} intent="send" answer={answer} label="Send Again" />
    </AdminRow>
  );
}

/** "payment_received" as "Payment received". */
function nameOf(template: string): string {
  return capitalized(template.replaceAll("_", " "));
}
