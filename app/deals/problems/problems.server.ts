/**
 * Reported problems: what the buyer and the seller can do about one. An admin's decision is in
 * `admin/problems/decisions.server.ts`.
 */
import { and, eq, gt, isNull } from "drizzle-orm";
import { attachPhotos, findPhotos } from "#app/catalogue/photos/photos.server.ts";
import { expectOneChange, read, type Statement } from "#app/db/batch.ts";
import { build } from "#app/db/build.ts";
import { problems } from "#app/deals/tables.server.ts";
import { itemRow } from "#app/orders/table-rows.server.ts";
import { REPEAT_MS } from "./problem-rules.ts";
import { type PROBLEM_KINDS, type DealEvent } from "#app/db/states/deal.ts";
import { refusePart } from "#app/deals/deal-rules.ts";
import { applyDealEvent, type DealResult } from "#app/deals/deal-events.server.ts";
import type { DealServices } from "#app/deals/deal-services.ts";
import { findDeal } from "#app/deals/find-deal.server.ts";
import { PROBLEM_PHOTOS_MAX } from "./problem-rules.ts";

export interface Problem {
  kind: (typeof PROBLEM_KINDS)[number];
  /** What happened, in the buyer's words. */
  description: string;
  /** Keys of private photos that the buyer uploaded, each once. */
  photoKeys: readonly string[];
}

interface BuyersItem {
  itemId: string;
  buyerId: string;
}

interface SellersItem {
  itemId: string;
  sellerId: string;
}

/**
 * The buyer reports a problem: the money stays held, and the seller must answer. There is at most one for each item.
 * `photos`: one of the photos isn't the buyer's, or is no longer stored.
 */
export async function reportProblem(
  services: DealServices,
  { itemId, buyerId, kind, description, photoKeys }: BuyersItem & Problem,
): Promise<DealResult | { ok: false; code: "photos" }> {
  const keys = photoKeys.slice(0, PROBLEM_PHOTOS_MAX);
  if ((await findPhotos(services.db, buyerId, keys, "documents")) === null) return { ok: false, code: "photos" };
  const now = services.now();
  const together: Statement[] = [
    build
      .insert(problems)
      .values({ orderItemId: itemId, kind, description, photos: keys, openedAt: now })
      .onConflictDoNothing(),
    expectOneChange(),
    ...attachPhotos(buyerId, keys, now, "documents"),
  ];
  return applyDealEvent(services, { itemId, event: "problem_reported", by: buyerId, reason: kind, together });
}

/**
 * KES of an item whose open problem says the same: a report whose answer was lost, and which its buyer sends again.
 * Null for none.
 */
export async function findSameReport(
  { db, now }: DealServices,
  { itemId, kind, description }: Pick<BuyersItem, "itemId"> & Omit<Problem, "photoKeys">,
): Promise<number | null> {
  const isSame = and(
    eq(problems.orderItemId, itemId),
    eq(problems.kind, kind),
    eq(problems.description, description),
    gt(problems.openedAt, now() - REPEAT_MS),
    isNull(problems.settledAt),
  );
  const [found] = await read(
    db,
    build
      .select({ subtotal: itemRow.subtotal })
      .from(problems)
      .innerJoin(itemRow, eq(itemRow.id, problems.orderItemId))
      .where(isSame),
  );
  return found?.subtotal ?? null;
}

/** The seller refunds the whole price. */
export function refundProblem(services: DealServices, { itemId, sellerId }: SellersItem): Promise<DealResult> {
  return applyDealEvent(services, { itemId, event: "refunded_by_seller", by: sellerId });
}

/**
 * The seller offers to refund a part (KES). It can't be changed afterwards. `amount`: the part isn't possible, for the
 * reason in `error`.
 */
export async function offerPart(
  services: DealServices,
  { itemId, sellerId, amount, note }: SellersItem & { amount: number; note: string | null },
): Promise<DealResult | { ok: false; code: "amount"; error: string }> {
  const deal = await findDeal(services, itemId);
  if (!deal || deal.seller.id !== sellerId) return { ok: false, code: "not_found" };
  const error = refusePart(amount, deal.subtotal);
  if (error) return { ok: false, code: "amount", error };
  const together = [
    build
      .update(problems)
      .set({ offeredRefund: amount })
      .where(and(eq(problems.orderItemId, itemId), isNull(problems.offeredRefund), isNull(problems.settledAt))),
    expectOneChange(),
  ];
  const offer = { itemId, event: "part_offered", by: sellerId, refundAmount: amount, note, together } as const;
  return applyDealEvent(services, offer);
}

/** The seller doesn't agree with the problem, for the reasons in `note`. Our team decides. */
export function contestProblem(
  services: DealServices,
  { itemId, sellerId, note }: SellersItem & { note: string },
): Promise<DealResult> {
  return applyDealEvent(services, { itemId, event: "problem_contested", by: sellerId, note });
}

/** The buyer's answers to a reported problem: accept the seller's offer, say that it is solved, or ask our team. */
const ANSWERS = {
  accept: "part_accepted",
  withdraw: "problem_withdrawn",
  review: "review_requested",
} as const satisfies Record<string, DealEvent>;

export function answerAsBuyer(
  services: DealServices,
  { itemId, buyerId, answer, note }: BuyersItem & { answer: keyof typeof ANSWERS; note: string | null },
): Promise<DealResult> {
  return applyDealEvent(services, { itemId, event: ANSWERS[answer], by: buyerId, note });
}
