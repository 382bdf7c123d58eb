import { emailTokenOf } from "#app/accounts/login/email-tokens.server.ts";
import type { Kind } from "#app/notifications/kinds.ts";
import type { Mail, MailOf } from "#app/notifications/mailer.ts";
import { firstNameIn } from "#app/screens/notifications/words/first-name.ts";
import { type Words, wordsOf } from "#app/screens/notifications/words/words.ts";

/** The words of an email, before they are laid out as plain text and HTML. */
export interface MailContent extends Required<Omit<Words, "action">> {
  /** What an inbox shows after the subject. */
  preview: string;
  greeting: string;
  action: { label: string; url: string };
}

interface Writing {
  origin: string;
  /** Makes the tokens of links. The database and the outbox hold only the tokens' ids. */
  pepper: string;
}

/** The words of an email. Links lead to `origin`. */
export function contentOf(mail: Mail, { origin, pepper }: Writing): MailContent {
  const { action, notes = [], ...words } = wordsIn(mail);
  return {
    ...words,
    notes,
    preview: words.paragraphs[0] ?? words.heading,
    greeting: greeting(mail.data.name),
    action: { label: action.label, url: `${origin}${action.path}${tokenOf(mail, pepper)}` },
  };
}

function wordsIn<K extends Kind>({ template, data }: MailOf<K>): Words {
  return wordsOf(template, data);
}

/** What lets the reader of the email in, and nobody else. */
function tokenOf({ data }: Mail, pepper: string): string {
  const tokenId = "undo" in data ? data.undo?.tokenId : "tokenId" in data ? data.tokenId : undefined;
  return tokenId === undefined ? "" : `?token=${emailTokenOf(pepper, tokenId)}`;
}

/** "Hello Wanjiku,". Anybody can sign up with somebody else's address under any name. */
function greeting(name: string): string {
  const first = firstNameIn(name);
  return first ? `Hello ${first},` : "Hello,";
}
