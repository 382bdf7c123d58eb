import { renderToStaticMarkup } from "react-dom/server";
import type { Mail } from "#app/notifications/mailer.ts";
import { brand } from "#app/ui/page/brand.ts";
import { contentOf, type MailContent } from "./content.ts";
import { MailLayout } from "./mail-layout.tsx";

/** An email as it is sent. */
export interface WrittenMail {
  subject: string;
  text: string;
  html: string;
}

const DOCTYPE =
  '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">';

/**
 * Writes an email as plain text and as HTML. Links lead to `origin`.
 *
 * React Email's components make the HTML. The plain text is made from the same words and not from the HTML, because React Email's own
 * text renderer would add 160 KB (gzip) to the worker.
 */
export function writeMail(mail: Mail, writing: { origin: string; pepper: string }): WrittenMail {
  const content = contentOf(mail, writing);
  return {
    subject: content.subject,
    text: plainText(content),
    html: `${DOCTYPE}${renderToStaticMarkup(<MailLayout {...content} />)}`,
  };
}

function plainText({ greeting, paragraphs, action, notes }: MailContent): string {
  return [
    greeting,
    ...paragraphs,
    `${action.label}:\n${action.url}`,
    ...notes,
    `${brand.name} – ${brand.tagline}`,
  ].join("\n\n");
}
