import { html } from "hono/html";
import { MESSAGE_TEXTS } from "#app/messaging/message-rules.ts";
import { questionPage } from "./question-page.ts";

/** A message that was sent without scripts. */
interface Asked {
  to?: string | undefined;
  about?: string | null | undefined;
  text: string;
  photo: readonly string[];
  key: string;
  /** The page that it came from. */
  from: string;
}

/**
 * The page for browsers without scripts that asks before somebody sends their own handover code. It holds the whole
 * message, so nothing is lost whatever they choose.
 */
export function askAboutCode({ photo, from, ...message }: Asked) {
  const fields = [...Object.entries({ ...message, from }), ...photo.map((key) => ["photo", key] as const)];
  return questionPage(
    "Send your handover code?",
    html`<p>${MESSAGE_TEXTS.own_code}</p>
      <p class="words">You wrote: “${message.text}”</p>
      <form method="post" action="/api/messages">
        ${fields.map(([name, value]) => value && html`<input type="hidden" name="${name}" value="${value}" />`)}
        <a href="${from}">Don't Send</a>
        <button name="codeOk" value="yes">Send Anyway</button>
      </form>`,
  );
}
