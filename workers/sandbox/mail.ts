import { z } from "zod";

const MAX_TEXT = 500_000;

/** An email as the app sends it: `POST https://mail.sandbox.internal/messages`. */
export const mailSchema = z.object({
  to: z.string().trim().min(3).max(320).includes("@"),
  subject: z.string().max(1000),
  text: z.string().max(MAX_TEXT),
  html: z.string().max(MAX_TEXT),
});

export type IncomingMail = z.infer<typeof mailSchema>;

function unescaped(attribute: string): string {
  const plain = attribute
    .replaceAll("&#x2F;", "/")
    .replaceAll("&#x3D;", "=")
    .replaceAll("&#x27;", "'")
    .replaceAll("&#39;", "'");
  return plain.replaceAll("&quot;", '"').replaceAll("&amp;", "&");
}

/**
 * Every http(s) link in an email, without duplicates: those of the HTML first, then those that are only in the text.
 */
export function linksIn(text: string, html: string): string[] {
  const fromHtml = [...html.matchAll(/\bhref\s*=\s*(?:"([^"]*)"|'([^']*)')/gi)].map(([, double, single]) =>
    unescaped(double ?? single ?? ""),
  );
  const fromText = [...text.matchAll(/https?:\/\/[^\s<>"')\]]+/g)].map(([link]) => link.replace(/[.,;:!?]+$/, ""));
  return [...new Set([...fromHtml, ...fromText])].filter((link) => /^https?:\/\//i.test(link));
}
