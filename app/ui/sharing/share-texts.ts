/** What people send when they share a product, a shop, a search or an invitation. */
import { brand } from "#app/ui/page/brand.ts";
import { formatKes } from "#app/ui/money.ts";

export interface Shareable {
  /** Without a last name, because everybody may read it. */
  name: string;
  /** KES; null for all but products. */
  price: number | null;
  /** The path of its public page. */
  path: string;
  /** The path of its poster; null for none. */
  posterPath: string | null;
  /** What a search asks, or how somebody invites. It is sent in place of the name and the price. */
  question?: string;
  /** Of the menu, for what is neither a product nor a shop. */
  title?: string;
}

type Said = Pick<Shareable, "name" | "price" | "question">;

/** The message before the link: "Desk lamp for KES 1,500 on Chuoni". */
export function shareText({ name, price, question }: Said): string {
  if (question !== undefined) return question;
  const cost = price === null ? "" : price === 0 ? " for free" : ` for ${formatKes(price)}`;
  return `${name}${cost} on ${brand.name}`;
}

/** Opens WhatsApp, where people choose whom to send the message. `url` is the absolute link. */
export function whatsAppLink(shared: Said, url: string): string {
  const query = new URLSearchParams({ text: `${shareText(shared)}\n${url}` });
  // WhatsApp shows a plus sign as it is.
  return `https://wa.me/?${query.toString().replaceAll("+", "%20")}`;
}
