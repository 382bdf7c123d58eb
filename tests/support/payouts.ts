/** Helpers for browser tests of payouts: a seller who delivers and is to be paid. */
import type { Page } from "@playwright/test";
import { expect } from "#tests/support/browser.ts";
import { freshPhone } from "#tests/support/fresh-phone.ts";
import { joinCampus } from "#tests/support/newcomer.ts";
import { deliverOrder, listProduct, orderProduct, payOrder, post } from "#tests/support/requests.ts";

/**
 * A new seller with an M-Pesa number of this ending sells to the buyer and delivers. Leaves the seller's window on the
 * page of the sale.
 */
export async function sellAndDeliver(seller: Page, buyer: Page, ending: string): Promise<void> {
  await seller.addInitScript(
    () => location.origin !== "null" && localStorage.setItem("chuoni_tutorial_completed", "true"),
  );
  await joinCampus(seller);
  await post(seller, "/become-seller", { phone: freshPhone(ending), promise: "on" });
  const orderId = await orderProduct(buyer, await listProduct(seller, "Ruled paper"));
  await payOrder(buyer, orderId);
  await seller.goto(await deliverOrder(seller, buyer, orderId));
  await expect(seller.getByText("Sent to M-Pesa", { exact: false })).toBeVisible();
}
