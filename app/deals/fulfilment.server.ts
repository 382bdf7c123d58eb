import { inspectionHours } from "#app/orders/deal-timer-rules.ts";
import { applyDealEvent, type DealResult } from "./deal-events.server.ts";
import type { DealServices } from "./deal-services.ts";
import { findDeal } from "./find-deal.server.ts";

interface SellersItem {
  itemId: string;
  sellerId: string;
}

/** The seller says that the item is on its way. It must be paid, and the buyer must have agreed. */
export function shipItem(services: DealServices, { itemId, sellerId }: SellersItem): Promise<DealResult> {
  return applyDealEvent(services, { itemId, event: "shipped", by: sellerId });
}

/**
 * The seller says that the buyer has the item. The buyer then has some time to report a problem. A free item, and an
 * operator who has turned the inspection off, complete the deal at once, unless the buyer has reported a problem.
 */
export async function deliverItem(services: DealServices, { itemId, sellerId }: SellersItem): Promise<DealResult> {
  const deal = await findDeal(services, itemId);
  if (!deal) return { ok: false, code: "not_found" };
  const moment = { now: services.now(), agreedFor: deal.turn.missed.agreedFor };
  if (inspectionHours(services.deals.inspectionHours, deal.seller, moment) === 0) {
    const done = await applyDealEvent(services, { itemId, event: "delivered_without_inspection", by: sellerId });
    if (done.ok || done.code !== "reported") return done;
  }
  return applyDealEvent(services, { itemId, event: "delivered", by: sellerId });
}
