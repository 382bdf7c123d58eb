import { data } from "react-router";
import { z } from "zod";
import { takeAllowance } from "#app/db/rate-counters.ts";
import { sayMissed } from "#app/deals/say-missed.server.ts";
import { saidMissedText } from "#app/deals/words/missed-words.ts";
import { applyDealEvent, type DealInput, type DealResult } from "#app/deals/deal-events.server.ts";
import { DEAL_TEXTS, NOTE_MAX_LENGTH } from "#app/deals/words/deal-texts.ts";
import { startPayout } from "#app/payments/transfers/start-payout.server.ts";
import type { Services } from "#app/request/services.ts";
import type { SoldItemAnswer } from "#app/screens/sold-item/sold-item-answer.ts";
import { DAY_MS } from "#app/platform/duration-rules.ts";

/** An optional note of a form; null where nothing was written. */
export const noteField = z
  .string()
  .trim()
  .max(NOTE_MAX_LENGTH)
  .transform((text) => text || null)
  .nullable()
  .default(null);

/** The answer to a form about an item. `more`: about the field of the handover code. */
export function itemAnswer(
  itemId: string,
  status: number,
  message: string,
  more: Pick<SoldItemAnswer, "codeError" | "typed"> = {},
) {
  return data<SoldItemAnswer>({ ok: status === 200, message, itemId, ...more }, status);
}

/** Applies the event of a button. Its emails and its payout are sent after the answer. */
export async function moveDeal(services: Services, input: DealInput): Promise<DealResult> {
  return sendAfter(services, input.itemId, await applyDealEvent(services, input));
}

/** How often a buyer may ask to cancel one item in a day. Each request emails the seller. */
const CANCEL_REQUESTS_A_DAY = 5;

/** The buyer asks the seller to cancel. `too_many`: they have asked too often today. */
export async function askToCancel(
  services: Services,
  { itemId, buyerId, note }: { itemId: string; buyerId: string; note: string | null },
): Promise<DealResult | { ok: false; code: "too_many" }> {
  const allowance = { key: `cancel-requests:${itemId}:${buyerId}`, max: CANCEL_REQUESTS_A_DAY, windowMs: DAY_MS };
  if (!(await takeAllowance(services, [allowance]))) return { ok: false, code: "too_many" };
  return moveDeal(services, { itemId, event: "cancel_requested", by: buyerId, note });
}

/** One side says that the other didn't come to their meeting. */
export async function answerMissed(services: Services, input: { itemId: string; by: string }) {
  const said = await sayMissed(services, input);
  if (!said.ok) {
    if (said.code === "not_found") throw data(null, { status: 404 });
    return itemAnswer(input.itemId, 409, DEAL_TEXTS.changed);
  }
  services.drainOutbox();
  return itemAnswer(input.itemId, 200, saidMissedText(said.isAnswer));
}

/** Sends the emails and the payout that an event has queued, after the answer. */
export function sendAfter<Result extends DealResult | { ok: false }>(
  services: Services,
  itemId: string,
  result: Result,
): Result {
  if (!result.ok) return result;
  if (result.payoutId) services.defer(startPayout(services, result.payoutId, itemId));
  services.drainOutbox();
  return result;
}
