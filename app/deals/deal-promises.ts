/** What we promise about the money of an order, with the periods of `DEAL_HOURS`. */
import { DEAL_HOURS } from "#app/orders/deal-rules.ts";

/** A period as people say it: "48 hours", "7 days". */
export function periodText(hours: number): string {
  if (hours > 48 && hours % 24 === 0) return `${hours / 24} days`;
  return hours === 1 ? "1 hour" : `${hours} hours`;
}

/** What checkout promises. `inspection`: how long a buyer can report a problem, in hours; 0 where there is no such time. */
export function checkoutPromise(inspection: number): string {
  const paid =
    inspection === 0
      ? "The seller is paid when you give them your handover code, or when they deliver."
      : `The seller is paid when you give them your handover code, or after delivery if you report no problem. You have at least ${periodText(inspection)} to check the item.`;
  return `We hold your money. ${paid} If the seller doesn't hand it over or ship it within ${periodText(DEAL_HOURS.ship)}, you get your money back.`;
}
