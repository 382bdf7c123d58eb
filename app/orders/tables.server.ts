import { sql } from "drizzle-orm";
import {
  type AnySQLiteColumn,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import { meetingPoints } from "#app/accounts/tables.server.ts";
import { offers, productId } from "#app/catalogue/tables.server.ts";
import { flag, id, idOf, time, userId } from "#app/db/columns.ts";
import { HANDOVERS } from "#app/db/states/handover.ts";
import type { ProductImage } from "#app/db/product-image.ts";
import { stateIs } from "#app/db/state-is.ts";
import { DEAL_ACTORS, DEAL_EVENTS, DEAL_TIMERS } from "#app/db/states/deal.ts";
import { ITEM, ITEM_STATUSES } from "#app/db/states/item.ts";
import { MEETING_STATES } from "#app/db/states/meeting.ts";
import {
  CLOSED_REASONS,
  ORDER,
  ORDER_STATUSES,
  PAYMENT,
  PAYMENT_FAILURES,
  PAYMENT_REVIEWS,
  PAYMENT_STATUSES,
} from "#app/db/states/order.ts";
import { copies } from "#app/db/tables.server.ts";

export function orderId() {
  return text().references((): AnySQLiteColumn => orders.id);
}

export function orderItemId() {
  return text().references((): AnySQLiteColumn => orderItems.id);
}

export const orders = sqliteTable(
  "orders",
  {
    id: id(),
    userId: userId().notNull(),
    /** KES, with the buyer's fees, computed from the prices in the database when the order was placed. */
    amount: integer().notNull(),
    paymentStatus: text({ enum: PAYMENT_STATUSES }).notNull().default("pending"),
    orderStatus: text({ enum: ORDER_STATUSES }).notNull().default("pending_payment"),
    phoneNumber: text(),
    checkoutRequestId: text(),
    receipt: text(),
    paymentDate: time(),
    /** Why the latest payment failed; null while none has. */
    paymentFailure: text({ enum: PAYMENT_FAILURES }),
    /** Why a payment that came in is being checked by our team; null while none is. */
    paymentReview: text({ enum: PAYMENT_REVIEWS }),
    /** Why the order was closed unpaid; null while it is open or paid. */
    closedReason: text({ enum: CLOSED_REASONS }),
    deliveryOption: text({ enum: ["pickup", "delivery"] }),
    deliveryAddress: text(),
    deliveryInstructions: text(),
    /** Chosen by the client: the same key never places a second order. */
    idempotencyKey: text().notNull(),
    /**
     * The meeting that the buyer suggested at checkout. It becomes a suggestion to each seller once the order is paid.
     */
    meetingPointId: text().references(() => meetingPoints.id),
    meetingPlace: text(),
    meetAt: time(),
    /** "cart" orders empty those lines from the cart once paid. */
    source: text({ enum: ["cart", "buy_now"] })
      .notNull()
      .default("cart"),
    /** The buyer's newer order that replaced this one. Only one of the two is ever paid. */
    replacedBy: orderId(),
    createdAt: time().notNull(),
    updatedAt: time().notNull(),
  },
  (t) => [
    uniqueIndex("orders_idempotency").on(t.userId, t.idempotencyKey),
    index("orders_user").on(t.userId, t.createdAt, t.id),
    index("orders_created").on(t.createdAt),
    // What the job closes when nobody pays. An order that was closed keeps its payment status.
    index("orders_unpaid")
      .on(t.createdAt)
      .where(sql`${stateIs("payment_status", PAYMENT.isPayable)} AND ${stateIs("order_status", ORDER.awaitsPayment)}`),
  ],
);

/**
 * The rank of an item whose money is held in its seller's list: a problem or a request to answer, ready to ship, needs
 * contact, waits for the buyer, on its way, delivered and waiting for the buyer's OK, with our team.
 */
export const sellerOrderRank = sql.join(
  [
    sql`CASE`,
    sql`WHEN ${stateIs("status", ITEM.awaitsSeller)} THEN 0`,
    sql`WHEN ${stateIs("status", ITEM.isShipped)} THEN 4`,
    sql`WHEN ${stateIs("status", ITEM.awaitsBuyer)} THEN 5`,
    sql`WHEN ${stateIs("status", ITEM.isInReview)} THEN 6`,
    sql`WHEN buyer_agreed = 1 THEN 1`,
    sql`WHEN buyer_contacted = 0 THEN 2`,
    sql`ELSE 3 END`,
  ],
  sql` `,
);

export const orderItems = sqliteTable(
  "order_items",
  {
    id: id(),
    orderId: orderId().notNull(),
    productId: productId().notNull(),
    sellerId: userId().notNull(),
    /** The product's name and cover when it was ordered. */
    productName: text().notNull(),
    productImage: text({ mode: "json" }).$type<ProductImage | null>(),
    /** The listing as it was ordered. Null where nothing was copied. */
    copyId: integer().references(() => copies.id),
    quantity: integer().notNull(),
    /** KES. */
    pricePerUnit: integer().notNull(),
    /** The price of all pieces. */
    subtotal: integer().notNull(),
    /** The service fee as it was ordered: on top of the price, or out of it. */
    buyerFee: integer().notNull().default(0),
    sellerFee: integer().notNull().default(0),
    /** What of it we took when the deal ended; 0 while it runs, and of what went back. */
    feeTaken: integer().notNull().default(0),
    /** With what its price is compared (`PRICE_GROUP`), as it was ordered; null where nobody knows what it is. */
    priceGroup: text(),
    /** How its deal ends (`HANDOVER`), as it was ordered: a later change of the listing changes no period of it. */
    handover: text({ enum: HANDOVERS }).notNull().default("thing"),
    status: text({ enum: ITEM_STATUSES }).notNull().default("pending_payment"),
    buyerContacted: flag(),
    buyerAgreed: flag(),
    /** When its payment arrived, or its free order was confirmed. */
    paidAt: time(),
    shippedAt: time(),
    deliveredAt: time(),
    /** How often a wrong handover code was entered. */
    wrongCodes: integer().notNull().default(0),
    /** The accepted offer that set its price; null for the listing's own price. */
    offerId: text().references(() => offers.id),
    /** When its seller put its pieces back in stock after it was cancelled or refunded. */
    restockedAt: time(),
    /**
     * It was paid from the number that its seller is paid on, so it is no sale to somebody else (`markSelfPaid`).
     */
    paidBySeller: flag(),
    createdAt: time().notNull(),
    updatedAt: time().notNull(),
  },
  (t) => [
    uniqueIndex("order_items_order_product").on(t.orderId, t.productId),
    index("order_items_seller").on(t.sellerId, t.status, t.createdAt),
    // A shop's figures are added up from this index alone: 10,000 sales in 1 ms.
    index("order_items_sold").on(t.sellerId, t.paidAt, t.status, t.subtotal),
    index("order_items_desk").on(t.sellerId, sellerOrderRank, t.createdAt, t.id).where(stateIs("status", ITEM.isHeld)),
    index("order_items_problems").on(t.status, t.updatedAt, t.id).where(stateIs("status", ITEM.hasOpenProblem)),
    index("order_items_product").on(t.productId),
    // What things of a kind went for, the newest first: one piece, paid by somebody else, and over.
    index("order_items_went_for")
      .on(t.priceGroup, t.paidAt)
      .where(
        sql`price_group IS NOT NULL AND ${stateIs("status", ITEM.isCompleted)} AND quantity = 1 AND paid_by_seller = 0`,
      ),
    // The sweep asks whether an order shows a photo.
    index("order_items_photo")
      .on(sql`product_image ->> 'key'`)
      .where(sql`product_image IS NOT NULL`),
    index("order_items_offer")
      .on(t.offerId)
      .where(sql`offer_id IS NOT NULL`),
  ],
);

/** What happened to an order item, append-only. Both sides and our team read it. */
export const dealEvents = sqliteTable(
  "deal_events",
  {
    id: id(),
    orderItemId: orderItemId().notNull(),
    event: text({ enum: DEAL_EVENTS }).notNull(),
    actor: text({ enum: DEAL_ACTORS }).notNull(),
    /** Null for the clock. */
    actorId: userId(),
    /** A code that explains the event, such as why a seller cancelled. */
    reason: text(),
    /** What the actor wrote. Both sides can read it. */
    note: text(),
    /** KES: the part that was offered, or that the buyer gets back. */
    amount: integer(),
    /**
     * Whose record an ending counts against (`deals/deal-blame-rules.ts`); null for nobody's. `afterSalesEnded` counts
     * it.
     */
    against: text({ enum: ["seller"] }),
    createdAt: time().notNull(),
  },
  (t) => [index("deal_events_item").on(t.orderItemId, t.createdAt, t.id)],
);

/** When something happens to a paid order item by itself. The scheduled job claims what is due by deleting its row. */
export const dealTimers = sqliteTable(
  "deal_timers",
  {
    orderItemId: orderItemId().notNull(),
    kind: text({ enum: DEAL_TIMERS }).notNull(),
    dueAt: time().notNull(),
  },
  (t) => [primaryKey({ columns: [t.orderItemId, t.kind] }), index("deal_timers_due").on(t.dueAt)],
);

/** Where and when the buyer and the seller of a paid item meet: the latest suggestion and its answer. */
export const meetings = sqliteTable(
  "meetings",
  {
    orderItemId: orderItemId().primaryKey(),
    /** Null for a place in the person's own words. */
    pointId: text().references(() => meetingPoints.id),
    /** The place in words. */
    place: text().notNull(),
    startsAt: time().notNull(),
    proposedBy: userId().notNull(),
    state: text({ enum: MEETING_STATES }).notNull().default("proposed"),
    /** Raised by each suggestion, so that nobody answers one that has just changed. */
    round: integer().notNull().default(1),
    /** When both are reminded; null when nothing is left to send. */
    remindAt: time(),
    /** The time to which both had agreed, where something else was suggested or it was cancelled only afterwards. */
    passedAt: time(),
    createdAt: time().notNull(),
    updatedAt: time().notNull(),
  },
  (t) => [
    index("meetings_reminders")
      .on(t.remindAt)
      .where(sql`remind_at IS NOT NULL`),
  ],
);

/** A deal that waits, with its clock stopped, until a second admin confirms that a suspension ends it. */
export const dealHolds = sqliteTable(
  "deal_holds",
  {
    orderItemId: orderItemId().notNull(),
    proposalId: text()
      .notNull()
      .references(() => idOf("admin_proposals")),
    heldAt: time().notNull(),
  },
  (t) => [primaryKey({ columns: [t.orderItemId, t.proposalId] }), index("deal_holds_proposal").on(t.proposalId)],
);

export const issueReports = sqliteTable(
  "issue_reports",
  {
    id: id(),
    userId: userId().notNull(),
    sellerId: userId(),
    productId: productId(),
    orderId: orderId(),
    description: text().notNull(),
    status: text({ enum: ["open", "closed"] })
      .notNull()
      .default("open"),
    outcome: text(),
    notes: text(),
    createdAt: time().notNull(),
    closedAt: time(),
  },
  (t) => [index("issue_reports_status").on(t.status, t.createdAt), index("issue_reports_order").on(t.orderId)],
);
