/** Sales between a new seller and a buyer, made by requests, for browser tests of what comes after the payment. */
import type { Page } from "@playwright/test";
import { expect } from "./browser.ts";
import { freshPhone } from "./fresh-phone.ts";
import { joinCampus } from "./newcomer.ts";
import { listProduct, orderProduct, payOrder, post, salesOf } from "./requests.ts";

/** A paid item. */
export interface Sale {
  orderId: string;
  itemId: string;
}

/** A new seller, whose address has this domain and whose M-Pesa number this ending. */
export async function joinAsSeller(
  seller: Page,
  { domain, campus, ending }: { domain?: string; campus?: string; ending?: string } = {},
): Promise<{ email: string }> {
  const joined = await joinCampus(seller, domain, campus);
  await post(seller, "/become-seller", { phone: freshPhone(ending), promise: "on" });
  return joined;
}

/** The buyer pays for something new of the seller. */
export async function sell(seller: Page, buyer: Page, name: string): Promise<Sale> {
  const known = await salesOf(seller);
  const orderId = await orderProduct(buyer, await listProduct(seller, name));
  await payOrder(buyer, orderId);
  let sale: string | undefined;
  await expect(async () => {
    sale = (await salesOf(seller)).find((path) => !known.includes(path));
    expect(sale, "the sale is among the seller's orders").toBeDefined();
  }).toPass();
  return { orderId, itemId: sale?.split("/").at(-1) ?? "" };
}

/** The seller writes, and the buyer agrees to the handover. */
export async function agree(seller: Page, buyer: Page, { orderId, itemId }: Sale): Promise<void> {
  await post(seller, "/api/messages", { about: `item:${itemId}`, text: "At the gate?", key: crypto.randomUUID() });
  await post(buyer, `/orders/${orderId}`, { intent: "agree", itemId });
}
