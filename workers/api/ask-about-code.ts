import { html } from "hono/html";
import { MESSAGE_TEXTS } from "#app/messaging/message-rules.ts";
import { brand } from "#app/ui/brand.ts";

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
 * The page for browsers without scripts that asks before somebody sends their own hand-over code. It holds the whole message, so
 * nothing is lost whatever they choose.
 */
export function askAboutCode({ photo, from, ...message }: Asked) {
  const fields = [...Object.entries({ ...message, from }), ...photo.map((key) => ["photo", key] as const)];
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>Send your code? – ${brand.name}</title>
      </head>
      <body>
        <main>
          <h1>Send your hand-over code?</h1>
          <p>${MESSAGE_TEXTS.own_code}</p>
          <p>You wrote: “${message.text}”</p>
          <form method="post" action="/api/messages">
            ${fields.map(([name, value]) => value && html`<input type="hidden" name="${name}" value="${value}" />`)}
            <p><a href="${from}">Don't send</a></p>
            <button name="codeOk" value="yes">Send anyway</button>
          </form>
        </main>
      </body>
    </html>`;
}
