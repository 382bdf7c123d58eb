import type { ItemPrice } from "#app/orders/item-price-rules.ts";
import type { Handover } from "#app/db/states/handover.ts";
import { itemRow, orderRow } from "#app/orders/table-rows.server.ts";
import { and, desc, eq, inArray, or, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { type AnswersTo, read } from "#app/db/batch.ts";
import { asBoolean, build, hasRow, pick } from "#app/db/build.ts";
import type { Database } from "#app/db/client.ts";
import { isRefundDelayed } from "#app/payments/transfers/refund-place.server.ts";
import { dealEvents, dealTimers } from "#app/orders/tables.server.ts";
import { problems } from "#app/deals/tables.server.ts";
import type { ProductImage } from "#app/db/product-image.ts";
import { profiles, uploads } from "#app/accounts/tables.server.ts";
import { refunds } from "#app/payments/tables.server.ts";
import type { DealActor } from "#app/db/states/deal.ts";
import { orderedColumns, type OrderedListing, withOrdered } from "#app/orders/ordered-listing.server.ts";
import { type DealFacts, type DealRole } from "#app/deals/deal-rules.ts";
import { EVENT_ACTORS } from "#app/db/states/deal.ts";
import { textWarning } from "#app/safety/contact-warning-rules.ts";
import { openReport } from "#app/payments/reports-stop-money.server.ts";
import { dealOnHold, sellerGone } from "#app/deals/deal-facts.server.ts";
import { type HistoryLine, type HistoryReader, historyWords } from "#app/deals/words/history-words.ts";
import type { ProblemKind } from "./problem-rules.ts";

/** What the buyer reported, and what came of it. Amounts in KES, times in ms since 1970. */
export interface ReportedProblem {
  kind: ProblemKind;
  description: string;
  openedAt: number;
  /** Null until the seller offers a part. */
  offeredRefund: number | null;
  /** What went back to the buyer; null until it is settled. */
  refunded: number | null;
  photos: ProductImage[];
  /** What the seller should be careful about in the description. */
  warning: string | null;
}

/** Who reads the note of one side as the other's. */
const OTHER_SIDE: Partial<Record<DealActor, HistoryReader>> = { buyer: "seller", seller: "buyer" };

export interface ProblemPage {
  item: DealFacts &
    ItemPrice & {
      id: string;
      orderId: string;
      name: string;
      image: ProductImage | null;
      buyerName: string;
      sellerName: string;
      /** As in `DealView`. */
      isOnHold: boolean;
      /** What goes back to the buyer can't be sent now. */
      isRefundDelayed: boolean;
      /** The listing as it was ordered; null where the copy was erased. */
      ordered: OrderedListing | null;
    };
  /** Which side the reader is. */
  role: DealRole;
  problem: ReportedProblem | null;
  history: HistoryLine[];
  /** When the status ends by itself, ms since 1970; null when nothing is due. */
  until: number | null;
}

/** How many entries of a history are shown. A deal has far fewer. */
const HISTORY_SHOWN = 100;

/** The queries for a reported problem with its photos and the history of the deal. For `readProblem`. */
export function selectProblem(itemId: string) {
  const { kind, description, openedAt, offeredRefund, refunded } = problems;
  const { id, event, reason, note, amount, createdAt } = dealEvents;
  const isTheirs = eq(problems.orderItemId, itemId);
  return {
    reported: build.select({ kind, description, openedAt, offeredRefund, refunded }).from(problems).where(isTheirs),
    photos: build
      .select({ image: sql<ProductImage>`${uploads.image}`.mapWith(uploads.image).as("image") })
      .from(problems)
      .crossJoin(sql`json_each(${problems.photos}) photo`)
      .innerJoin(uploads, eq(uploads.key, sql`photo.value`))
      .where(isTheirs)
      .orderBy(sql`photo.key`),
    history: build
      .select({ id, event, reason, note, amount, createdAt })
      .from(dealEvents)
      .where(eq(dealEvents.orderItemId, itemId))
      .orderBy(desc(createdAt), desc(sql`rowid`))
      .limit(HISTORY_SHOWN),
  };
}

export function readProblem(
  { reported: [problem], photos, history }: AnswersTo<ReturnType<typeof selectProblem>>,
  item: ItemPrice & { handover: Handover },
  reader: HistoryReader,
): { problem: ReportedProblem | null; history: HistoryLine[] } {
  return {
    problem: problem
      ? {
          ...problem,
          photos: photos.map(({ image }) => image),
          warning: reader === "seller" ? textWarning(problem.description) : null,
        }
      : null,
    history: history.toReversed().map((entry) => ({
      ...entry,
      words: historyWords({ ...entry, handover: item.handover, price: item }, reader),
      warning: entry.note !== null && reader === OTHER_SIDE[EVENT_ACTORS[entry.event]] ? textWarning(entry.note) : null,
    })),
  };
}

/** An item with its reported problem, for its buyer or its seller; null for everybody else. One round trip. */
export async function findProblem(db: Database, itemId: string, viewerId: string): Promise<ProblemPage | null> {
  const buyer = alias(profiles, "buyer");
  const seller = alias(profiles, "seller");
  const { copied, listed } = orderedColumns("item_row");
  const {
    item: [item],
    timer: [timer],
    ...found
  } = await read(db, {
    item: build
      .select({
        id: itemRow.id,
        orderId: itemRow.orderId,
        name: itemRow.productName,
        image: itemRow.productImage,
        ...pick(itemRow, "handover", "status", "shippedAt", "buyerAgreed", "wrongCodes"),
        ...pick(itemRow, "subtotal", "buyerFee", "sellerFee"),
        hasOpenReport: asBoolean(openReport),
        isSellerGone: asBoolean(sellerGone),
        isOnHold: asBoolean(dealOnHold),
        isRefundDelayed: asBoolean(hasRow(refunds, and(eq(refunds.orderItemId, itemRow.id), isRefundDelayed()))),
        buyerId: orderRow.userId,
        buyerName: sql<string | null>`${buyer.fullName}`.as("buyerName"),
        sellerName: sql<string | null>`${seller.fullName}`.as("sellerName"),
        copied,
        listed,
      })
      .from(itemRow)
      .innerJoin(orderRow, eq(orderRow.id, itemRow.orderId))
      .leftJoin(buyer, eq(buyer.id, orderRow.userId))
      .leftJoin(seller, eq(seller.id, itemRow.sellerId))
      .where(and(eq(itemRow.id, itemId), or(eq(orderRow.userId, viewerId), eq(itemRow.sellerId, viewerId)))),
    ...selectProblem(itemId),
    // The first of them: a silent seller's time ends before the time to agree.
    timer: build
      .select({ until: dealTimers.dueAt })
      .from(dealTimers)
      .where(and(eq(dealTimers.orderItemId, itemId), inArray(dealTimers.kind, ["problem_unanswered", "no_agreement"])))
      .orderBy(dealTimers.dueAt)
      .limit(1),
  });
  if (!item) return null;
  const role = item.buyerId === viewerId ? "buyer" : "seller";
  const { buyerId: _buyerId, ...facts } = withOrdered(item);
  return {
    item: {
      ...facts,
      buyerName: item.buyerName || "the buyer",
      sellerName: item.sellerName || "the seller",
    },
    role,
    ...readProblem(found, item, role),
    until: timer?.until ?? null,
  };
}
