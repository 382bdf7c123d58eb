/**
 * Helpers that do by request what browser tests need but don't test. They act like a page without scripts, and are much
 * faster.
 */
import type { Page } from "@playwright/test";
import { expect, test } from "#tests/support/browser.ts";
import { freshPhone } from "#tests/support/fresh-phone.ts";

/** Scheme, host and port of the app under test. */
export function originOf(): string {
  return new URL(test.info().project.use.baseURL ?? "http://localhost:8787").origin;
}

/** Submits a form as the user of this window. Returns where it leads, or an empty text. */
export async function post(page: Page, path: string, form: Record<string, string>): Promise<string> {
  const origin = originOf();
  const answer = await page.request.post(origin + path, { form, headers: { origin }, maxRedirects: 0 });
  expect(answer.status(), `${path} ${JSON.stringify(form)}`).toBeLessThan(400);
  return answer.headers().location ?? "";
}

const PRICE = "1500";

/** Lists a new product for KES 1,500, without a limit, and returns its id. */
export async function listProduct(seller: Page, name: string, change: Record<string, string> = {}): Promise<string> {
  const productId = crypto.randomUUID();
  const form = { name, price: PRICE, description: "Works well", category: "stationery", condition: "new" };
  await post(seller, "/add-product", { productId, ...form, madeToOrder: "on", ...change });
  return productId;
}

/** Orders one piece of the product that costs `price`, and returns the order's id. */
export async function orderProduct(buyer: Page, productId: string, price = PRICE): Promise<string> {
  const form = { intent: "buy-now", quantity: "1", orderKey: crypto.randomUUID(), price };
  const orderId = (await post(buyer, `/product/${productId}`, form)).split("/").at(-1) ?? "";
  expect(orderId, `ordering ${productId}`).toMatch(/^[0-9a-f-]{36}$/);
  return orderId;
}

/**
 * Requests payment of an order from this phone, which pays after about two seconds unless its ending says otherwise.
 */
export async function payOrder(buyer: Page, orderId: string, phone = freshPhone()): Promise<void> {
  await post(buyer, `/checkout/${orderId}`, { intent: "pay", phone, option: "pickup", pickupConfirmed: "on" });
}

/** The seller's pages of their sales, newest first. */
export async function salesOf(seller: Page): Promise<string[]> {
  const html = await (await seller.request.get(`${originOf()}/myshop?tab=orders`)).text();
  return [...new Set(html.match(/\/seller\/orders\/[0-9a-f-]{36}/g) ?? [])];
}

/** The handover code of an order with one item, from its buyer's page. */
export async function handoverCodeOf(buyer: Page, orderId: string): Promise<string> {
  const html = await (await buyer.request.get(`${originOf()}/orders/${orderId}`)).text();
  const [, start, end] = /handover__code">(\d{3})\D+(\d{3})/.exec(html) ?? [];
  expect(start, `the handover code of ${orderId}`).toBeDefined();
  return `${start}${end}`;
}

/** From the seller's first message to the handover code of a paid order. Returns the seller's page of the sale. */
export async function deliverOrder(
  seller: Page,
  buyer: Page,
  orderId: string,
  how: "with the code" | "without the code" = "with the code",
): Promise<string> {
  let sale = "";
  await expect(async () => {
    [sale = ""] = await salesOf(seller);
    expect(sale, "the sale is among the seller's orders").not.toBe("");
  }).toPass();
  const itemId = sale.split("/").at(-1) ?? "";
  const text = "I can meet you at the library gate";
  await post(seller, "/api/messages", { about: `item:${itemId}`, text, key: crypto.randomUUID() });
  await post(buyer, `/orders/${orderId}`, { intent: "agree", itemId });
  await post(seller, sale, { intent: "ship", itemId });
  if (how === "without the code") await post(seller, sale, { intent: "deliver", itemId });
  else await post(seller, sale, { intent: "code", itemId, code: await handoverCodeOf(buyer, orderId) });
  return sale;
}
