/** Sales between a new seller and a buyer, made by requests, for browser tests of what comes after the payment. */
import type { Page } from "@playwright/test";
import { dayName } from "#app/platform/east-africa-time.ts";
import { expect, test } from "./browser.ts";
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
export async function sell(
  seller: Page,
  buyer: Page,
  name: string,
  change: Record<string, string> = {},
): Promise<Sale> {
  const known = await salesOf(seller);
  const orderId = await orderProduct(buyer, await listProduct(seller, name, change));
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

const SOON_MS = 20 * 60_000;

/** They agree to meet at Hall 6, late today. Where today is nearly over, the test is skipped. */
export async function meetToday(seller: Page, buyer: Page, { itemId }: Pick<Sale, "itemId">): Promise<void> {
  const now = Date.now();
  const day = dayName(now);
  test.skip(dayName(now + SOON_MS) !== day, "the meeting is later today");
  const meeting = { point: "other", otherPlace: "Hall 6, reception", day, time: "23:59" };
  await post(seller, `/meetings/${itemId}`, { intent: "suggested", round: "0", ...meeting });
  await post(buyer, `/meetings/${itemId}`, { intent: "accepted", round: "1" });
}
