/** Deals that are over, and reviews of them, for tests. */
import { env } from "cloudflare:workers";
import type { Stars } from "#app/reviews/review-labels.ts";
import { writeReview } from "#app/reviews/write-review.server.ts";
import { write } from "#app/db/batch.ts";
import { idList } from "#app/db/build.ts";
import { afterSalesEnded } from "#app/orders/sale-effects.server.ts";
import { type Deal, db, makeDeal, servicesAt } from "./fixtures.ts";

export type Side = "buyer" | "seller";

/** A deal whose item was handed over just now, or refunded after a problem. */
export async function finishedDeal(
  input: Parameters<typeof makeDeal>[0] & { status?: "completed" | "refunded"; paidFrom?: string } = {},
): Promise<Deal> {
  const deal = await makeDeal(input);
  await env.DB.batch([
    env.DB.prepare(
      `UPDATE orders SET payment_status = 'completed', order_status = 'delivered', payment_date = ?, phone_number = ?
        WHERE id = ?`,
    ).bind(Date.now(), input.paidFrom ?? null, deal.orderId),
    env.DB.prepare("UPDATE order_items SET status = ?, paid_at = ?, updated_at = ? WHERE id = ?").bind(
      input.status ?? "completed",
      Date.now(),
      Date.now(),
      deal.itemId,
    ),
  ]);
  await write(db, afterSalesEnded(idList(deal.itemId)));
  return deal;
}

export function personOf(deal: Deal, side: Side): string {
  return side === "buyer" ? deal.buyerId : deal.sellerId;
}

/** Writes the review of one side, `hours` from now. */
export function review(
  deal: Deal,
  side: Side,
  { rating = 5, hours = 0, ...words }: { rating?: Stars; text?: string; photoKeys?: string[]; hours?: number } = {},
) {
  return writeReview(servicesAt(hours * 60 * 60_000), {
    itemId: deal.itemId,
    authorId: personOf(deal, side),
    rating,
    tags: [],
    text: "",
    photoKeys: [],
    ...words,
  });
}
