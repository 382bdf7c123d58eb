import { html } from "hono/html";
import { MESSAGE_TEXTS } from "#app/messaging/message-rules.ts";
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

/** The page for browsers without scripts that asks before somebody sends their own handover code. */
export function askAboutCode(message: Held) {
  return holdMessage(
    message,
    { title: "Send your handover code?", why: MESSAGE_TEXTS.own_code },
    html`<a href="${message.from}">Don't Send</a> <button name="codeOk" value="yes">Send Anyway</button>`,
  );
}

/** The page for browsers without scripts that says why a message wasn't sent. */
export function refusedMessage(message: Held, why: string) {
  return holdMessage(
    message,
    { title: NOT_SENT, why },
    html`<a href="${message.from}">Go Back</a> <button>Send Again</button>`,
  );
}

/** The same where nobody is logged in. `login` leads to the login. */
export function loggedOutMessage(message: Held, login: string) {
  return holdMessage(
    message,
    { title: NOT_SENT, why: "You're logged out. Log in in a new tab, then come back here and send your message." },
    html`<a href="${login}" target="_blank">Log In (opens a new tab)</a> <button>Send Again</button>`,
  );
}

const NOT_SENT = "Your message wasn't sent";

/** A page that holds the whole message, so nothing is lost whatever its sender chooses. */
function holdMessage({ photo, ...message }: Held, { title, why }: { title: string; why: string }, choices: Html) {
  const fields = [...Object.entries(message), ...photo.map((key) => ["photo", key] as const)];
  return questionPage(
    title,
    html`<p>${why}</p>
      <p class="words">You wrote: “${message.text}”</p>
      <form method="post" action="/api/messages">
        ${fields.map(([name, value]) => value && html`<input type="hidden" name="${name}" value="${value}" />`)}
        ${choices}
      </form>`,
  );
}
