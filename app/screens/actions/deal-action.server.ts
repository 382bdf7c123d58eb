import { z } from "zod";
import { applyDealEvent, type DealInput, type DealResult } from "#app/deals/deal-events.server.ts";
import { NOTE_MAX_LENGTH } from "#app/deals/deal-words.ts";
import { startPayout } from "#app/payments/payment-api.server.ts";
import type { Services } from "#app/request/services.ts";

/** An optional note of a form; null where nothing was written. */
export const noteField = z
  .string()
  .trim()
  .max(NOTE_MAX_LENGTH)
  .transform((text) => text || null)
  .nullable()
  .default(null);

/** Applies an event that somebody pressed. Emails and the payout that it earned leave after the answer. */
export async function moveDeal(services: Services, input: DealInput): Promise<DealResult> {
  return sendAfter(services, input.itemId, await applyDealEvent(services, input));
}

/** Has what a deal's step has queued leave after the answer. */
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
