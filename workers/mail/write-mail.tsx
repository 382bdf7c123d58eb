import { renderToStaticMarkup } from "react-dom/server";
import type { Mail } from "#app/notifications/mailer.ts";
import { CHOICE_GROUPS, choiceGroupOf } from "#app/notifications/settings-rules.ts";
import { unsubscribePath } from "#app/notifications/unsubscribe-link.server.ts";
import { brand } from "#app/ui/page/brand.ts";
import { contentOf, type MailContent } from "./content.ts";
import { MailLayout } from "./mail-layout.tsx";

/** An email as it is sent. */
export interface WrittenMail {
  subject: string;
  text: string;
  html: string;
  headers?: Record<string, string>;
}

interface Writing {
  origin: string;
  pepper: string;
}

interface Link {
  label: string;
  url: string;
}

const DOCTYPE =
  '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">';

/**
 * Writes an email as plain text and as HTML. Links lead to `origin`.
 *
 * React Email's components make the HTML. The plain text is made from the same words and not from the HTML, because
 * React Email's own text renderer would add 160 KB (gzip) to the worker.
 */
export function writeMail(mail: Mail, writing: Writing): WrittenMail {
  const content = contentOf(mail, writing);
  const unsubscribe = unsubscribeLink(mail, writing);
  return {
    subject: content.subject,
    text: plainText(content, unsubscribe),
    html: `${DOCTYPE}${renderToStaticMarkup(<MailLayout {...content} unsubscribe={unsubscribe} />)}`,
    ...(unsubscribe && { headers: unsubscribeHeaders(unsubscribe.url) }),
  };
}

/** The link that turns emails like this one off; null where they can't be turned off. */
function unsubscribeLink({ template, reader }: Mail, { origin, pepper }: Writing): Link | null {
  const group = choiceGroupOf(template);
  if (reader === undefined || group === null) return null;
  return {
    label: `Stop emails about ${CHOICE_GROUPS[group].about}`,
    url: origin + unsubscribePath(pepper, { userId: reader, group }),
  };
}

/** Mail programs show a button of their own, and send our form when it is pressed (RFC 2369 and 8058). */
function unsubscribeHeaders(url: string): Record<string, string> {
  return { "List-Unsubscribe": `<${url}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" };
}

function plainText({ greeting, paragraphs, action, notes }: MailContent, unsubscribe: Link | null): string {
  return [
    greeting,
    ...paragraphs,
    `${action.label}:\n${action.url}`,
    ...notes,
    `${brand.name} – ${brand.tagline}`,
    ...(unsubscribe ? [`${unsubscribe.label}:\n${unsubscribe.url}`] : []),
  ].join("\n\n");
}
