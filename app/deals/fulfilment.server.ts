import { inspectionHours } from "#app/orders/deal-rules.ts";
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
 * operator who has turned the inspection off, complete the deal at once.
 */
export async function deliverItem(services: DealServices, { itemId, sellerId }: SellersItem): Promise<DealResult> {
  const deal = await findDeal(services, itemId);
  if (!deal) return { ok: false, code: "not_found" };
  const hours = inspectionHours(services.deals.inspectionHours, deal.seller);
  // An open report freezes the money: without an inspection, the clock asks our team at once.
  const isFrozen = deal.hasOpenReport && deal.subtotal > 0;
  const event = hours === 0 && !isFrozen ? "delivered_without_inspection" : "delivered";
  return applyDealEvent(services, { itemId, event, by: sellerId });
}
