/** @jsxImportSource hono/jsx */
import type { MailView } from "#workers/sandbox/activity.ts";
import { clockOf, messageTimeOf } from "#workers/sandbox/kenya-time.ts";
import { Page } from "./layout.tsx";

export interface MailboxView {
  /** Newest first. */
  mails: MailView[];
  /** The email that is open, or null. */
  open: MailView | null;
  /** Only emails to this address are shown; null shows all. */
  to: string | null;
  /** Everybody who got an email. */
  recipients: string[];
}

function addressOf(view: MailboxView, mail: MailView | null): string {
  const query = new URLSearchParams();
  if (view.to !== null) query.set("to", view.to);
  if (mail) query.set("mail", String(mail.id));
  return query.size > 0 ? `/sandbox/mailbox?${query}` : "/sandbox/mailbox";
}

const PREVIEW_LENGTH = 110;

/** The list of emails: the part of the page that is refreshed. */
export function MailList({ view }: { view: MailboxView }) {
  if (view.mails.length === 0) {
    return (
      <div class="mail-list" data-swap="list">
        <p class="empty">
          {view.to === null
            ? "No emails yet. Sign up in the app, and the confirmation email arrives here."
            : `No emails for ${view.to} yet.`}
        </p>
      </div>
    );
  }
  return (
    <div class="mail-list" data-swap="list" data-announce={`Newest email: ${view.mails[0]!.subject}`}>
      <ol>
        {view.mails.map((mail) => (
          <li key={mail.id}>
            <a href={addressOf(view, mail)} aria-current={mail.id === view.open?.id ? "true" : undefined}>
              <span class="mail-to">{mail.to}</span>
              <time>{clockOf(mail.sentAt)}</time>
              <span class="mail-subject">{mail.subject || "(no subject)"}</span>
              <span class="mail-preview">{mail.text.replace(/\s+/g, " ").slice(0, PREVIEW_LENGTH)}</span>
            </a>
          </li>
        ))}
      </ol>
    </div>
  );
}

function Reading({ mail, back }: { mail: MailView; back: string }) {
  const { date, time } = messageTimeOf(mail.sentAt);
  return (
    <article class="reading">
      <a class="back" href={back}>
        All mail
      </a>
      <header>
        <h2>{mail.subject || "(no subject)"}</h2>
        <p>
          to <b>{mail.to}</b> · {date} {time}
        </p>
      </header>
      {mail.html ? (
        <iframe
          title={`Email: ${mail.subject}`}
          src={`/sandbox/mailbox/${mail.id}/html`}
          height="160"
          sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
          data-mail
        />
      ) : null}
      {mail.links.length > 0 ? (
        <section class="links">
          <h3>Links in this email</h3>
          <ul>
            {mail.links.map((link) => (
              <li key={link}>
                <a href={link}>{link}</a>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      <details open={mail.html === ""}>
        <summary>Plain text</summary>
        <pre>{mail.text}</pre>
      </details>
    </article>
  );
}

/** The mailbox: a list, and the open email. */
export function MailboxPage({ view, liveUrl }: { view: MailboxView; liveUrl: string }) {
  return (
    <Page title="Mailbox" here="mailbox" scripts={["live.js", "mailbox.js"]} liveUrl={liveUrl}>
      <main class={view.open ? "mailbox has-open" : "mailbox"}>
        <h1 class="hidden">Mailbox</h1>
        <p class="hidden" aria-live="polite" data-announcer />
        <section class="inbox" aria-label="Mail">
          <form class="pick" action="/sandbox/mailbox">
            <label htmlFor="to">Mail for</label>
            <input
              id="to"
              name="to"
              type="search"
              list="recipients"
              autocomplete="off"
              placeholder="everybody"
              value={view.to ?? ""}
            />
            <datalist id="recipients">
              {view.recipients.map((recipient) => (
                <option key={recipient} value={recipient}>
                  {recipient}
                </option>
              ))}
            </datalist>
            <button type="submit">Show</button>
          </form>
          <MailList view={view} />
        </section>
        {view.open ? (
          <Reading mail={view.open} back={addressOf({ ...view, open: null }, null)} />
        ) : (
          <p class="reading nothing">Choose an email to read it here.</p>
        )}
      </main>
    </Page>
  );
}
