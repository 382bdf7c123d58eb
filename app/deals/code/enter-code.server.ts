/** Entering a handover code, which completes a deal. */
import { and, eq, type SQL, sql } from "drizzle-orm";
import { PreconditionFailed, type Statement, expectOneChange, expectThat, write } from "#app/db/batch.ts";
import { build, hasRow } from "#app/db/build.ts";
import { type Allowance, countOne, hasLeft, isUsedUp, takeAllowance } from "#app/db/rate-counters.ts";
import { orderItems } from "#app/orders/tables.server.ts";
import { ITEM } from "#app/db/states/item.ts";
import { DIGITS, readCode } from "#app/platform/digit-rules.ts";
import { holdsFor, isHandoverLink } from "#app/deals/deal-facts.server.ts";
import { recordDealEvent } from "#app/deals/deal-records.server.ts";
import { type DealFacts, refuseDealEvent, WRONG_CODES_MAX } from "#app/deals/deal-rules.ts";
import { applyDealEvent, type DealResult, tellSides } from "#app/deals/deal-events.server.ts";
import type { DealServices } from "#app/deals/deal-services.ts";
import { dealNotice } from "#app/deals/words/deal-notice-rules.ts";
import { type Deal, findDeal } from "#app/deals/find-deal.server.ts";
import { BY_HELPER } from "./handover-link-rules.ts";
import { handoverCode } from "./handover-code.server.ts";
import { DAY_MS } from "#app/platform/duration-rules.ts";

/** How many wrong codes one seller may enter in a day, over all items. */
const WRONG_CODES_A_DAY = 20;

/**
 * The code of a deal; null while it isn't usable: before the payment, after the handover, after too many wrong codes,
 * or while the buyer has reported a problem.
 */
export async function usableCode(
  { deals, now }: Pick<DealServices, "now" | "deals">,
  deal: DealFacts & { id: string },
): Promise<string | null> {
  return refuseDealEvent("code_entered", deal, now()) === null ? handoverCode(deals.codeKey, deal.id) : null;
}

export type CodeResult =
  | DealResult
  /** `left`: how many wrong codes are still allowed for this item. */
  | { ok: false; code: "wrong_code"; left: number }
  /** This seller has entered too many wrong codes today. */
  | { ok: false; code: "too_many" };

/**
 * A report decides whether the code pays the seller. Both are guarded, so a report at the same moment is read again.
 */
const RETRIED: readonly string[] = ["reported", "wrong_state"];

/** How often a code is tried again because another one was counted first. Only so many wrong codes can be counted. */
const MAX_RACES = WRONG_CODES_MAX + 3;

/**
 * The seller enters the buyer's code, which completes the deal and starts the payout. While the buyer has an open
 * report, it makes our team decide instead: `reported`, as for a problem that the two are settling. `code` as typed:
 * only its digits count. Each wrong code is counted before it is answered. The last allowed one closes the code for
 * this item. A right code counts only if no wrong one was counted in the meantime, so guessing many codes at once helps
 * no more than guessing one after the other. `linkId`: it comes by the link that the seller has made for somebody else.
 */
export async function enterCode(
  services: DealServices,
  input: { itemId: string; sellerId: string; code: string; linkId?: string },
): Promise<CodeResult> {
  const allowance = { key: `handover-codes:${input.sellerId}`, max: WRONG_CODES_A_DAY, windowMs: DAY_MS };
  const isRight = readCode(input.code, DIGITS) === (await handoverCode(services.deals.codeKey, input.itemId));
  for (let race = 1; ; race += 1) {
    if (await isUsedUp(services, allowance)) return { ok: false, code: "too_many" };
    const deal = await findDeal(services, input.itemId);
    if (!deal || deal.seller.id !== input.sellerId) return { ok: false, code: "not_found" };
    if (input.linkId !== undefined && deal.handoverLink?.id !== input.linkId) return { ok: false, code: "not_found" };
    if (ITEM.hasOpenProblem(deal.status)) {
      if (isRight) return { ok: false, code: "reported", status: deal.status };
      // Only the day's tries count it, which keeps anybody from finding out the code here.
      await takeAllowance(services, [allowance]);
      return { ok: false, code: "wrong_state", status: deal.status };
    }
    const isReported = refuseDealEvent("code_entered", deal, services.now()) === "reported";
    const event = isReported ? "code_held" : "code_entered";
    const refusal = refuseDealEvent(event, deal, services.now());
    if (refusal) return { ok: false, code: refusal, status: deal.status };
    try {
      const terms = { allowance, linkId: input.linkId ?? null };
      if (!isRight) return await countWrong(services, deal, terms);
      const done = await complete(services, deal, event, terms);
      if (!done.ok && RETRIED.includes(done.code) && race < MAX_RACES) continue;
      return done.ok && isReported ? { ok: false, code: "reported", status: done.status } : done;
    } catch (error) {
      // Another code was counted at the same moment.
      if (!(error instanceof PreconditionFailed) || race === MAX_RACES) throw error;
    }
  }
}

/** Under which a code counts. */
interface CodeTerms {
  allowance: Allowance;
  /** Null where the seller enters it themselves. */
  linkId: string | null;
}

/** Aborts the batch where the seller's tries are used up, or where their link has ended since the deal was read. */
function guardTerms({ id }: Deal, { allowance, linkId }: CodeTerms, now: number): Statement[] {
  return [
    expectThat(hasLeft(allowance, now)),
    ...(linkId === null ? [] : [expectThat(holdsFor(id, isHandoverLink(linkId)))]),
  ];
}

function complete(
  services: DealServices,
  deal: Deal,
  event: "code_entered" | "code_held",
  terms: CodeTerms,
): Promise<DealResult> {
  const together = [...guardTerms(deal, terms, services.now()), expectThat(hasRow(orderItems, isUntried(deal)))];
  const reason = terms.linkId === null ? null : BY_HELPER;
  return applyDealEvent(services, { itemId: deal.id, event, by: deal.seller.id, reason, together });
}

/** No wrong code was counted since the deal was read. */
function isUntried(deal: Deal): SQL | undefined {
  return and(eq(orderItems.id, deal.id), eq(orderItems.wrongCodes, deal.wrongCodes));
}

async function countWrong(services: DealServices, deal: Deal, terms: CodeTerms): Promise<CodeResult> {
  const left = WRONG_CODES_MAX - deal.wrongCodes - 1;
  const now = services.now();
  await write(services.db, [
    ...guardTerms(deal, terms, now),
    build
      .update(orderItems)
      .set({ wrongCodes: sql`${orderItems.wrongCodes} + 1`, updatedAt: now })
      .where(isUntried(deal)),
    expectOneChange(),
    countOne(terms.allowance, now),
    ...(left === 0 ? closeCode(deal, now) : []),
  ]);
  if (left === 0) await announceClosed(services, deal);
  return { ok: false, code: "wrong_code", left };
}

function closeCode(deal: Deal, now: number) {
  const record = { event: "code_closed", actor: "seller", actorId: deal.seller.id } as const;
  return [
    recordDealEvent(crypto.randomUUID(), deal.id, record, now),
    ...tellSides(deal, "code_closed", "code_closed", { amount: null, note: null, until: null, now }),
  ];
}

async function announceClosed({ notifier }: DealServices, deal: Deal): Promise<void> {
  const about = { type: "order", orderId: deal.orderId, orderItemId: deal.id } as const;
  const notice = dealNotice("code_closed", "buyer", deal.productName, {
    reason: null,
    subtotal: deal.subtotal,
    handover: deal.handover,
  });
  await Promise.all([
    notifier.send(deal.buyer.id, { ...about, ...(notice && { notice }) }),
    notifier.send(deal.seller.id, about),
  ]);
}
