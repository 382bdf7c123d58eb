/** Helpers for browser tests of payouts: a seller who delivers and is to be paid. */
import type { Page } from "@playwright/test";
import { expect } from "#tests/support/browser.ts";
import { deliverOrder, listProduct, orderProduct, payOrder } from "#tests/support/requests.ts";
import { joinAsSeller } from "./sales.ts";

/**
 * A new seller with an M-Pesa number of this ending sells to the buyer and delivers. Leaves the seller's window on the
 * page of the sale.
 */
export async function sellAndDeliver(seller: Page, buyer: Page, ending: string): Promise<void> {
  await joinAsSeller(seller, { ending });
  const orderId = await orderProduct(buyer, await listProduct(seller, "Ruled paper"));
  await payOrder(buyer, orderId);
  await seller.goto(await deliverOrder(seller, buyer, orderId));
  // On a phone it stands in a part that is closed.
  await expect(seller.getByText("Sent to M-Pesa", { exact: false })).toBeAttached();
}
