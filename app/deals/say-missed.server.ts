/** "They didn't come": one side of a deal says it of the other. */
import { and, eq } from "drizzle-orm";
import { answerUntil, otherSide, refuseMissed, withSaid } from "#app/accounts/trust/missed-meeting-rules.ts";
import { expectThat, retryOnConflict, write } from "#app/db/batch.ts";
import { hasRow } from "#app/db/build.ts";
import { markSeen } from "#app/notifications/seen.server.ts";
import { orderItems } from "#app/orders/tables.server.ts";
import { noteAttendance } from "./attendance.server.ts";
import { tellSides } from "./deal-events.server.ts";
import { recordDealEvent } from "./deal-records.server.ts";
import type { DealServices } from "./deal-services.ts";
import { findDeal } from "./find-deal.server.ts";
import { dealNotice } from "./words/deal-notice-rules.ts";

/** `deal_events.event` of what each side says. */
const SAYS = { seller: "buyer_missed", buyer: "seller_missed" } as const;

/** `deal_events.reason`, where the other side had said it first. */
const ANSWER = "answer";

export type MissedResult =
  | { ok: true; isAnswer: boolean }
  /** `refused`: not of this meeting, or not now. */
  | { ok: false; code: "not_found" | "refused" };

const MAX_TRIES = 6;

/**
 * One side says that the other didn't come to their meeting, or answers the same. Safe to repeat, and at the same time
 * as the other side: who comes second answers.
 */
export async function sayMissed(
  services: DealServices,
  { itemId, by }: { itemId: string; by: string },
): Promise<MissedResult> {
  return retryOnConflict(MAX_TRIES, async () => {
    const deal = await findDeal(services, itemId);
    const side = deal && (by === deal.buyer.id ? "buyer" : by === deal.seller.id ? "seller" : null);
    if (!deal || !side) return { ok: false, code: "not_found" };
    const now = services.now();
    const { missed } = deal.turn;
    const isAnswer = missed.saidAt[otherSide(side)] !== null;
    const refusal = refuseMissed(side, { ...deal, missed }, now);
    if (refusal) return refusal === "said" ? { ok: true, isAnswer } : { ok: false, code: "refused" };
    const event = SAYS[side];
    const reason = isAnswer ? ANSWER : null;
    await write(services.db, [
      expectThat(hasRow(orderItems, and(eq(orderItems.id, itemId), eq(orderItems.status, deal.status)))),
      ...noteAttendance(deal, deal, withSaid(missed, side, now)),
      recordDealEvent(crypto.randomUUID(), itemId, { event, actor: side, actorId: by, reason }, now),
      markSeen(by, [`item:${itemId}`], now),
      ...tellSides(deal, event, event, { amount: null, note: null, reason, until: answerUntil(now), now }),
    ]);
    const about = { type: "order", orderId: deal.orderId, orderItemId: itemId } as const;
    const other = otherSide(side);
    const notice = dealNotice(event, other, deal.productName, {
      reason,
      subtotal: deal.subtotal,
      handover: deal.handover,
    });
    await Promise.all([
      services.notifier.send(by, about),
      services.notifier.send(deal[other].id, { ...about, ...(notice && { notice }) }),
    ]);
    return { ok: true, isAnswer };
  });
}
