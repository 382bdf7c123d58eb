import { sql } from "drizzle-orm";
import type { Store } from "#app/db/client.ts";
import type { ItemStatus } from "#app/db/states/item.ts";
import type { ReviewCause, TurnFacts } from "#app/orders/deal-blame-rules.ts";
import type { InspectionFacts } from "#app/orders/deal-rules.ts";
import { openIssue, openReport } from "#app/orders/open-report.server.ts";
import { keptPayment } from "#app/payments/item-money.server.ts";
import { readTurn, reviewCause, sellerGone, turnJson } from "./deal-facts.server.ts";

/** Everything that a step of a deal must know. Times in ms since 1970. */
export interface Deal {
  id: string;
  orderId: string;
  productId: string;
  productName: string;
  status: ItemStatus;
  buyerAgreed: boolean;
  wrongCodes: number;
  /** KES. */
  subtotal: number;
  paidAt: number | null;
  shippedAt: number | null;
  /** Null where no problem was reported. */
  disputeOpenedAt: number | null;
  /** KES that the seller offers to refund; null until then. */
  offeredRefund: number | null;
  /** A report of the buyer that stops the money (`openReport`). */
  hasOpenReport: boolean;
  /** One of them was made in the form of the order (`openIssue`). */
  hasOpenIssue: boolean;
  isSellerGone: boolean;
  turn: TurnFacts;
  /** Why our team decides; null when it doesn't. */
  reviewCause: ReviewCause | null;
  /** The payment that the order is kept for; null when the order is free. */
  attemptId: string | null;
  buyer: Party;
  seller: Party & InspectionFacts;
}

export interface Party {
  id: string;
  email: string;
  name: string;
  /** The account was deleted, so nobody reads its emails. */
  isDeleted: boolean;
}

interface Row extends Pick<
  Deal,
  | "id"
  | "orderId"
  | "productId"
  | "productName"
  | "status"
  | "wrongCodes"
  | "subtotal"
  | "paidAt"
  | "shippedAt"
  | "disputeOpenedAt"
  | "offeredRefund"
  | "attemptId"
  | "reviewCause"
> {
  buyerAgreed: number;
  hasOpenReport: number;
  hasOpenIssue: number;
  isSellerGone: number;
  turn: string;
  buyerId: string;
  buyerEmail: string;
  buyerName: string | null;
  buyerDeleted: number;
  sellerId: string;
  sellerEmail: string;
  sellerName: string | null;
  sellerDeleted: number;
  isVerified: number;
  numberChanged: number;
  soldTo: number;
}

/** Reads an item with both sides; null when there is none. One round trip. */
export async function findDeal(store: Store, itemId: string): Promise<Deal | null> {
  const now = store.now();
  const [row] = await store.db.all<Row>(
    sql`SELECT i.id, i.order_id AS orderId, i.product_id AS productId, i.product_name AS productName, i.status, i.buyer_agreed AS buyerAgreed, i.wrong_codes AS wrongCodes,
        i.subtotal, i.paid_at AS paidAt, i.shipped_at AS shippedAt, d.opened_at AS disputeOpenedAt, d.offered_refund AS offeredRefund, ${openReport} AS hasOpenReport, ${openIssue} AS hasOpenIssue,
        ${sellerGone} AS isSellerGone, ${turnJson} AS turn, ${reviewCause} AS reviewCause,
        ${keptPayment("i.order_id")} AS attemptId,
        o.user_id AS buyerId, bc.email AS buyerEmail, bp.full_name AS buyerName, bp.deleted_at IS NOT NULL AS buyerDeleted,
        i.seller_id AS sellerId, sc.email AS sellerEmail, sp.full_name AS sellerName, sp.deleted_at IS NOT NULL AS sellerDeleted,
        COALESCE(sp.verification_status = 'approved', 0) AS isVerified, COALESCE(sp.payouts_held_until > ${now}, 0) AS numberChanged,
        COALESCE((SELECT handed_over FROM seller_records WHERE seller_id = i.seller_id), 0) AS soldTo
      FROM order_items i JOIN orders o ON o.id = i.order_id
        JOIN credentials bc ON bc.id = o.user_id LEFT JOIN profiles bp ON bp.id = o.user_id
        JOIN credentials sc ON sc.id = i.seller_id LEFT JOIN profiles sp ON sp.id = i.seller_id
        LEFT JOIN disputes d ON d.order_item_id = i.id
      WHERE i.id = ${itemId}`,
  );
  return row ? dealOf(row) : null;
}

function dealOf({ buyerAgreed, hasOpenReport, hasOpenIssue, isSellerGone, turn, ...row }: Row): Deal {
  return {
    ...row,
    buyerAgreed: buyerAgreed === 1,
    hasOpenReport: hasOpenReport === 1,
    hasOpenIssue: hasOpenIssue === 1,
    isSellerGone: isSellerGone === 1,
    turn: readTurn(turn),
    buyer: {
      id: row.buyerId,
      email: row.buyerEmail,
      name: row.buyerName || "there",
      isDeleted: row.buyerDeleted === 1,
    },
    seller: {
      id: row.sellerId,
      email: row.sellerEmail,
      name: row.sellerName || "there",
      isDeleted: row.sellerDeleted === 1,
      subtotal: row.subtotal,
      soldTo: row.soldTo,
      isVerified: row.isVerified === 1,
      numberChanged: row.numberChanged === 1,
    },
  };
}
