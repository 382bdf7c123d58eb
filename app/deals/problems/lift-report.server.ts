import { and, eq, not } from "drizzle-orm";
import { expectThat, tryWrite } from "#app/db/batch.ts";
import { hasRow } from "#app/db/build.ts";
import { orderItems } from "#app/orders/tables.server.ts";
import type { LiftedReport } from "#app/db/states/deal.ts";
import { recordDealEvent } from "#app/deals/deal-records.server.ts";
import { canLiftReport } from "#app/deals/deal-rules.ts";
import { liftReports, openIssue, openReport } from "#app/payments/reports-stop-money.server.ts";
import { holdsFor } from "#app/deals/deal-facts.server.ts";
import { dealNotice } from "#app/deals/words/deal-notice-rules.ts";
import { type DealResult, tellSides } from "#app/deals/deal-events.server.ts";
import type { DealServices } from "#app/deals/deal-services.ts";
import { findDeal } from "#app/deals/find-deal.server.ts";
import { DAY_MS } from "#app/platform/duration-rules.ts";

/**
 * The buyer takes back what they have reported to our team about an item, and the deal goes on. Nothing is paid by
 * that: the code, "Everything is OK" or the time does that, as before. Safe to call twice: the second answers
 * `wrong_state`.
 */
export async function liftReport(
  services: DealServices,
  { itemId, buyerId }: { itemId: string; buyerId: string },
): Promise<DealResult> {
  const deal = await findDeal(services, itemId);
  if (!deal || deal.buyer.id !== buyerId) return { ok: false, code: "not_found" };
  if (!canLiftReport(deal)) return { ok: false, code: "wrong_state", status: deal.status };
  const now = services.now();
  const reason: LiftedReport = deal.hasOpenIssue ? "issue" : "case";
  // However often a report is made again and taken back, its seller gets one email a day.
  const emailKey = `report_lifted:${Math.floor(now / DAY_MS)}`;
  const isDone = await tryWrite(services.db, [
    expectThat(hasRow(orderItems, and(eq(orderItems.id, itemId), eq(orderItems.status, deal.status)))),
    expectThat(holdsFor(itemId, openReport)),
    expectThat(holdsFor(itemId, deal.hasOpenIssue ? openIssue : not(openIssue))),
    ...liftReports(itemId, now),
    recordDealEvent(
      crypto.randomUUID(),
      itemId,
      { event: "report_lifted", actor: "buyer", actorId: buyerId, reason },
      now,
    ),
    ...tellSides(deal, "report_lifted", emailKey, { amount: null, note: null, reason, until: null, now }),
  ]);
  if (!isDone) return { ok: false, code: "wrong_state", status: deal.status };
  const about = { type: "order", orderId: deal.orderId, orderItemId: deal.id } as const;
  const notice = dealNotice("report_lifted", "seller", deal.productName, {
    reason,
    subtotal: deal.subtotal,
    handover: deal.handover,
  });
  await Promise.all([
    services.notifier.send(deal.buyer.id, about),
    services.notifier.send(deal.seller.id, { ...about, ...(notice && { notice }) }),
  ]);
  return { ok: true, status: deal.status, payoutId: null, subtotal: deal.subtotal };
}
