import { html } from "hono/html";
import { MESSAGE_TEXTS } from "#app/messaging/message-rules.ts";
import type { SendRefusal } from "#app/messaging/sending/send-message.server.ts";
import { questionPage } from "./question-page.ts";

/** A message that was sent without scripts. */
interface Held {
  to?: string | undefined;
  about?: string | null | undefined;
  text: string;
  photo: readonly string[];
  key: string;
  /** The page that it came from. */
  from: string;
}

type Html = ReturnType<typeof html>;

const NOT_SENT = "Your message wasn't sent";
/** The same message would be refused again. */
const FOR_GOOD: ReadonlySet<SendRefusal> = new Set(["no_recipient", "blocked", "blocked_by_me"]);

/** The page for browsers without scripts that asks before somebody sends their own handover code. */
export function askAboutCode({ text, ...message }: Held) {
  return questionPage(
    "Send your handover code?",
    html`<p>${MESSAGE_TEXTS.own_code}</p>
      <p class="words">You wrote: “${text}”</p>
      ${formOf(
        message,
        html`<input type="hidden" name="text" value="${text}" /> <a href="${message.from}">Don't Send</a>
          <button name="codeOk" value="yes">Send Anyway</button>`,
      )}`,
  );
}

/** The page for browsers without scripts that says why a message wasn't sent, with its words. */
export function refusedMessage({ text, ...message }: Held, why: string, code: SendRefusal) {
  const sendAgain = FOR_GOOD.has(code) ? "" : html`<button class="main">Send Again</button>`;
  return questionPage(
    NOT_SENT,
    html`<p>${why}</p>
      ${formOf(message, html`${wordsOf(text)} ${sendAgain} <a class="other" href="${message.from}">Go Back</a>`)}`,
  );
}

/** The same where nobody is logged in. `login` leads to the login. */
export function loggedOutMessage({ text, ...message }: Held, login: string) {
  return questionPage(
    NOT_SENT,
    html`<p>You're logged out. Log in in a new tab, then come back here and send your message.</p>
      ${formOf(
        message,
        html`${wordsOf(text)} <a href="${login}" target="_blank">Log In (opens a new tab)</a>
          <button>Send Again</button>`,
      )}`,
  );
}

function wordsOf(text: string): Html {
  return html`<label>Your message <textarea name="text" rows="6">${text}</textarea></label>`;
}

/** The form has all that was sent, so that it can be sent again. */
function formOf({ photo, ...message }: Omit<Held, "text">, content: Html): Html {
  const fields = [...Object.entries(message), ...photo.map((key) => ["photo", key] as const)];
  return html`<form method="post" action="/api/messages">
    ${fields.map(([name, value]) => value && html`<input type="hidden" name="${name}" value="${value}" />`)} ${content}
  </form>`;
}
