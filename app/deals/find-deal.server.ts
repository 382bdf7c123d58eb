import { itemRow, orderRow } from "#app/orders/table-rows.server.ts";
import { and, type Column, eq, gt, isNotNull, or, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { hasOpenInvitation } from "#app/accounts/invitations/invitations.server.ts";
import type { Party } from "#app/notifications/recipient-rules.ts";
import { asBoolean, build, pick } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import type { Handover } from "#app/db/states/handover.ts";
import { credentials, profiles, sellerBuyers } from "#app/accounts/tables.server.ts";
import { problems } from "./tables.server.ts";
import type { ItemStatus } from "#app/db/states/item.ts";
import type { HandoverLink } from "./code/handover-link-rules.ts";
import type { ReviewCause, TurnFacts } from "./deal-blame-rules.ts";
import { type InspectionFacts, NEW_SELLER_BUYERS } from "#app/orders/deal-timer-rules.ts";
import { openIssue, openReport } from "#app/payments/reports-stop-money.server.ts";
import type { ItemPrice } from "#app/orders/item-price-rules.ts";
import { keptPayment } from "#app/payments/transfers/item-money.server.ts";
import { codeEntered, dealOnHold, handoverLink, reviewCause, sellerGone, turn } from "./deal-facts.server.ts";

/** Everything that a step of a deal must know. Times in ms since 1970. */
export interface Deal extends ItemPrice {
  id: string;
  orderId: string;
  productId: string;
  productName: string;
  handover: Handover;
  status: ItemStatus;
  buyerAgreed: boolean;
  wrongCodes: number;
  paidAt: number | null;
  shippedAt: number | null;
  /** Null where no problem was reported. */
  problemOpenedAt: number | null;
  /** KES that the seller offers to refund; null until then. */
  offeredRefund: number | null;
  /** A report of the buyer that stops the money (`openReport`). */
  hasOpenReport: boolean;
  /** One of them is an issue report (`openIssue`). */
  hasOpenIssue: boolean;
  isSellerGone: boolean;
  /** Its end waits for a second admin. */
  isOnHold: boolean;
  handoverLink: HandoverLink | null;
  /** The seller has entered the buyer's code. */
  isCodeEntered: boolean;
  /** One of the two was invited, and no deal of theirs counts yet. */
  isInvited: boolean;
  turn: TurnFacts;
  /** Why our team decides; null when it doesn't. */
  reviewCause: ReviewCause | null;
  /** The payment that the order is kept for; null when the order is free. */
  attemptId: string | null;
  buyer: Party;
  seller: Party & InspectionFacts;
}

const buyer = { account: alias(credentials, "buyer_account"), profile: alias(profiles, "buyer_profile") };
const seller = { account: alias(credentials, "seller_account"), profile: alias(profiles, "seller_profile") };

/** SQL on the item: who has bought from its seller, as far as it matters for the inspection. */
const firstBuyers = build
  .select({ id: sellerBuyers.buyerId })
  .from(sellerBuyers)
  .where(and(eq(sellerBuyers.sellerId, itemRow.sellerId), eq(sellerBuyers.handedOver, true)))
  .limit(NEW_SELLER_BUYERS);

/** Reads an item with both sides; null when there is none. One round trip. */
export async function findDeal({ db, now }: Store, itemId: string): Promise<Deal | null> {
  const [row] = await db
    .select({
      ...pick(itemRow, "id", "orderId", "productId", "productName", "handover", "status"),
      ...pick(itemRow, "buyerAgreed", "wrongCodes", "subtotal", "buyerFee", "sellerFee", "paidAt", "shippedAt"),
      problemOpenedAt: problems.openedAt,
      offeredRefund: problems.offeredRefund,
      hasOpenReport: asBoolean(openReport),
      hasOpenIssue: asBoolean(openIssue),
      isSellerGone: asBoolean(sellerGone),
      isOnHold: asBoolean(dealOnHold),
      handoverLink,
      isCodeEntered: asBoolean(codeEntered),
      isInvited: asBoolean(sql`(${or(hasOpenInvitation(orderRow.userId), hasOpenInvitation(itemRow.sellerId))})`),
      turn,
      reviewCause,
      attemptId: keptPayment(itemRow.orderId),
      buyer: partyColumns(orderRow.userId, buyer),
      seller: {
        ...partyColumns(itemRow.sellerId, seller),
        ...pick(itemRow, "handover", "subtotal"),
        soldTo: sql<number>`(SELECT COUNT(*) FROM (${firstBuyers}))`,
        isVerified: asBoolean(sql`COALESCE(${eq(seller.profile.verificationStatus, "approved")}, 0)`),
        numberChanged: asBoolean(sql`COALESCE(${gt(seller.profile.payoutsHeldUntil, now())}, 0)`),
      },
    })
    .from(itemRow)
    .innerJoin(orderRow, eq(orderRow.id, itemRow.orderId))
    .innerJoin(buyer.account, eq(buyer.account.id, orderRow.userId))
    .leftJoin(buyer.profile, eq(buyer.profile.id, orderRow.userId))
    .innerJoin(seller.account, eq(seller.account.id, itemRow.sellerId))
    .leftJoin(seller.profile, eq(seller.profile.id, itemRow.sellerId))
    .leftJoin(problems, eq(problems.orderItemId, itemRow.id))
    .where(eq(itemRow.id, itemId));
  return row ?? null;
}

function partyColumns<Id extends Column>(id: Id, { account, profile }: typeof buyer | typeof seller) {
  return {
    id,
    name: sql<string>`COALESCE(NULLIF(${profile.fullName}, ''), 'there')`,
    email: account.email,
    isClosed: asBoolean(isNotNull(account.suspendedAt)),
    isDeleted: asBoolean(isNotNull(profile.deletedAt)),
  };
}
