import { sql } from "drizzle-orm";
import { type AnySQLiteColumn, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { flag, id, time, userId } from "#app/db/columns.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ATTEMPT, ATTEMPT_STATES } from "#app/db/states/attempt.ts";
import { CALLBACK, CALLBACK_OUTCOMES } from "#app/db/states/callback.ts";
import { LINE_FINDINGS, LIST_ACCOUNTS, LIST_SOURCES, RECORD_KINDS } from "#app/db/states/mpesa-list.ts";
import { PAYMENT_FAILURES } from "#app/db/states/order.ts";
import { REFUND_REASONS } from "#app/db/states/refund.ts";
import { TRANSFER, TRANSFER_METHODS, TRANSFER_STATES, WAIT_REASONS } from "#app/db/states/transfer.ts";
import { orderId, orderItemId } from "#app/orders/tables.server.ts";
import { subscriptions } from "#app/shops/tables.server.ts";

function attemptId() {
  return text().references((): AnySQLiteColumn => paymentAttempts.id);
}

/** A request to a customer to pay. Written before Safaricom is called. States: `payments/collect/attempt-rules.ts`. */
export const paymentAttempts = sqliteTable(
  "payment_attempts",
  {
    id: id(),
    purpose: text({ enum: ["order", "subscription"] }).notNull(),
    orderId: orderId(),
    subscriptionId: text().references(() => subscriptions.id),
    userId: userId().notNull(),
    phone: text().notNull(),
    /** KES. */
    amount: integer().notNull(),
    state: text({ enum: ATTEMPT_STATES }).notNull().default("created"),
    /** Unguessable. It is part of the callback's path. */
    callbackToken: text().notNull(),
    merchantRequestId: text(),
    checkoutRequestId: text(),
    receipt: text(),
    /** M-Pesa's result, from a callback or a query. "0" on an attempt that isn't settled: a success without proof. */
    resultCode: text(),
    /** M-Pesa's message, or its code and message where it only answered the request. For the admin pages. */
    resultDesc: text(),
    failureReason: text({ enum: PAYMENT_FAILURES }),
    /** When a query confirmed the success; payouts wait for it. */
    confirmedAt: time(),
    /** Whether it reserves the pieces of its order: while it is under way. */
    reservesStock: flag(),
    queryCount: integer().notNull().default(0),
    /** When the job of every minute asks next; null means never. */
    nextQueryAt: time(),
    createdAt: time().notNull(),
    settledAt: time(),
    updatedAt: time().notNull(),
  },
  (t) => [
    uniqueIndex("payment_attempts_token").on(t.callbackToken),
    uniqueIndex("payment_attempts_checkout_request")
      .on(t.checkoutRequestId)
      .where(sql`checkout_request_id IS NOT NULL`),
    uniqueIndex("payment_attempts_receipt")
      .on(t.receipt)
      .where(sql`receipt IS NOT NULL`),
    // At most one live attempt for an order, even from two tabs at once.
    uniqueIndex("payment_attempts_live_order").on(t.orderId).where(stateIs("state", ATTEMPT.isLive)),
    uniqueIndex("payment_attempts_live_subscription")
      .on(t.subscriptionId)
      .where(sql`subscription_id IS NOT NULL AND ${stateIs("state", ATTEMPT.isLive)}`),
    index("payment_attempts_order").on(t.orderId, t.createdAt),
    index("payment_attempts_subscription")
      .on(t.subscriptionId, t.createdAt)
      .where(sql`subscription_id IS NOT NULL`),
    index("payment_attempts_phone").on(t.phone, t.createdAt),
    index("payment_attempts_due")
      .on(t.nextQueryAt)
      .where(sql`next_query_at IS NOT NULL`),
    index("payment_attempts_state").on(t.state, t.createdAt),
    index("payment_attempts_settled")
      .on(t.settledAt)
      .where(sql`settled_at IS NOT NULL`),
  ],
);

/** What payouts and refunds have in common, and all that sending them needs (docs/states.md, "Transfers"). */
function transferColumns() {
  return {
    id: id(),
    /** KES. */
    amount: integer().notNull(),
    state: text({ enum: TRANSFER_STATES }).notNull().default("due"),
    /** The number that it was sent to, or that an admin sends it to by hand; null until then, and for a reversal. */
    phone: text(),
    /** Ours. M-Pesa gets it as OriginatorConversationID, except with a reversal. */
    conversationId: text().notNull(),
    /** Unguessable. It is part of the callback's path. */
    callbackToken: text().notNull(),
    /** M-Pesa's id of the last request. */
    providerConversationId: text(),
    /** M-Pesa's. Null although it is done when M-Pesa only said that the payment was reversed before. */
    receipt: text(),
    resultCode: text(),
    resultDesc: text(),
    /** Why it waits or was parked. */
    waitReason: text({ enum: WAIT_REASONS }),
    /** The words of the admin who parked it, or M-Pesa's own message; null when the code says it all. */
    waitDetail: text(),
    sendCount: integer().notNull().default(0),
    /** How often it was looked up, or a reversal asked for again. */
    lookupCount: integer().notNull().default(0),
    /** When the job acts on it next; null means never. */
    nextActionAt: time(),
    /** The admin who entered the receipt of a transfer that was sent by hand. */
    doneBy: userId(),
    createdAt: time().notNull(),
    sentAt: time(),
    doneAt: time(),
    updatedAt: time().notNull(),
  };
}

/** A transfer to a seller for one or more completed items (`payout_items`). */
export const payouts = sqliteTable(
  "payouts",
  {
    ...transferColumns(),
    /** The first of its items. */
    orderItemId: orderItemId().notNull(),
    sellerId: userId().notNull(),
  },
  (t) => [
    uniqueIndex("payouts_order_item").on(t.orderItemId),
    uniqueIndex("payouts_conversation").on(t.conversationId),
    uniqueIndex("payouts_token").on(t.callbackToken),
    uniqueIndex("payouts_receipt")
      .on(t.receipt)
      .where(sql`receipt IS NOT NULL`),
    index("payouts_due")
      .on(t.nextActionAt)
      .where(sql`next_action_at IS NOT NULL`),
    index("payouts_state").on(t.state, t.createdAt),
    index("payouts_open").on(t.sellerId).where(stateIs("state", TRANSFER.isOpen)),
    index("payouts_seller").on(t.sellerId, t.createdAt),
    index("payouts_paid").on(t.sellerId, t.amount).where(stateIs("state", TRANSFER.isDone)),
  ],
);

/** The items that a payout pays for, each with its share. The shares sum to the payout's amount. */
export const payoutItems = sqliteTable(
  "payout_items",
  {
    orderItemId: orderItemId().primaryKey(),
    payoutId: text()
      .notNull()
      .references(() => payouts.id),
    /** KES. */
    amount: integer().notNull(),
    createdAt: time().notNull(),
  },
  (t) => [index("payout_items_payout").on(t.payoutId)],
);

/**
 * Receipts that admins entered, and asked M-Pesa about: of a payment that they accept, or of a payout or refund that
 * they sent by hand. None counts before M-Pesa has confirmed it.
 */
export const receiptChecks = sqliteTable(
  "receipt_checks",
  {
    id: id(),
    /** One of the three. */
    attemptId: attemptId(),
    payoutId: text().references(() => payouts.id),
    refundId: text().references((): AnySQLiteColumn => refunds.id),
    receipt: text().notNull(),
    /** 254XXXXXXXXX: who must have got the money that left us; null for a payment, and when no number is known. */
    phone: text(),
    /** Unguessable. It is part of the callback's path. */
    token: text().notNull(),
    askedBy: userId().notNull(),
    /** dismissed: before M-Pesa answered, an admin dismissed the payment, or took back that it is sent by hand. */
    state: text({ enum: ["asked", "confirmed", "rejected", "dismissed"] })
      .notNull()
      .default("asked"),
    /** Why M-Pesa didn't confirm it, for the admins. */
    detail: text(),
    createdAt: time().notNull(),
    answeredAt: time(),
  },
  (t) => [
    uniqueIndex("receipt_checks_token").on(t.token),
    index("receipt_checks_attempt").on(t.attemptId, t.createdAt),
    index("receipt_checks_payout").on(t.payoutId, t.createdAt),
    index("receipt_checks_refund").on(t.refundId, t.createdAt),
    index("receipt_checks_receipt").on(t.receipt),
  ],
);

/** Every callback as it arrived, stored before it is applied. */
export const paymentCallbacks = sqliteTable(
  "payment_callbacks",
  {
    id: id(),
    kind: text({
      enum: ["push", "payout", "payout_timeout", "lookup", "lookup_timeout", "receipt", "reversal", "reversal_timeout"],
    }).notNull(),
    token: text().notNull(),
    body: text().notNull(),
    sourceAddress: text(),
    requestId: text(),
    receivedAt: time().notNull(),
    appliedAt: time(),
    outcome: text({ enum: CALLBACK_OUTCOMES }),
  },
  (t) => [
    // What the job applies, apart from what failed: those that failed for good stay, and no run reads them again.
    index("payment_callbacks_untried")
      .on(t.receivedAt)
      .where(sql`outcome IS NULL`),
    index("payment_callbacks_failed").on(t.receivedAt).where(stateIs("outcome", CALLBACK.hasFailed)),
    index("payment_callbacks_token").on(t.token, t.receivedAt),
    index("payment_callbacks_received").on(t.receivedAt, t.id),
    // Without a valid token. They are deleted after a while.
    index("payment_callbacks_strangers")
      .on(t.receivedAt)
      .where(sql`outcome = 'unknown_token'`),
  ],
);

/**
 * Callbacks that `npm run doctor` waits for, and who may ask for them (`payments/answers/probes.server.ts`). Nothing of
 * it is booked. Kept for a day.
 */
export const probes = sqliteTable("probes", {
  /** Of the callback's path. Of a visit: the SHA-256 of the doctor's secret. */
  token: text().primaryKey(),
  kind: text({ enum: ["visit", "callback", "initiator", "pay_in", "pay_out", "pay_back"] }).notNull(),
  startedAt: time().notNull(),
  /** The callback's body. */
  answer: text(),
  answeredAt: time(),
});

/** A transfer of money that came in and goes back to the buyer. */
export const refunds = sqliteTable(
  "refunds",
  {
    ...transferColumns(),
    attemptId: attemptId().notNull(),
    orderId: orderId(),
    /** The item whose money goes back; null when the whole payment isn't kept. */
    orderItemId: orderItemId(),
    reason: text({ enum: REFUND_REASONS }).notNull(),
    /** Null until it is sent for the first time. */
    method: text({ enum: TRANSFER_METHODS }),
  },
  (t) => [
    uniqueIndex("refunds_payment")
      .on(t.attemptId)
      .where(sql`order_item_id IS NULL`),
    uniqueIndex("refunds_item").on(t.orderItemId),
    uniqueIndex("refunds_conversation").on(t.conversationId),
    uniqueIndex("refunds_token").on(t.callbackToken),
    uniqueIndex("refunds_receipt").on(t.receipt),
    index("refunds_attempt").on(t.attemptId),
    index("refunds_due").on(t.nextActionAt),
    index("refunds_state").on(t.state, t.createdAt),
    index("refunds_open").on(t.id).where(stateIs("state", TRANSFER.isOpen)),
  ],
);

/** The double-entry ledger, append-only. The amounts of one transaction sum to zero; debits are positive. */
export const ledgerEntries = sqliteTable(
  "ledger_entries",
  {
    id: id(),
    transactionId: text().notNull(),
    account: text({
      enum: ["mpesa_collection", "mpesa_payout_float", "escrow", "seller_payable", "refunds_due", "plans", "fees"],
    }).notNull(),
    kind: text({ enum: ["charge", "hold", "release", "fee", "payout", "refund_due", "refund"] }).notNull(),
    /** KES, signed: debit above zero. */
    amount: integer().notNull(),
    orderId: text(),
    orderItemId: text(),
    attemptId: text(),
    payoutId: text(),
    refundId: text(),
    createdAt: time().notNull(),
  },
  (t) => [
    // The same entry of a transaction cannot be booked twice.
    uniqueIndex("ledger_entries_leg").on(t.transactionId, t.account, t.kind),
    index("ledger_entries_account").on(t.account, t.createdAt),
  ],
);

/** Something about money that a person must check. */
export const discrepancies = sqliteTable(
  "discrepancies",
  {
    id: id(),
    kind: text().notNull(),
    /** Unique with the kind while the row is open. */
    subject: text().notNull(),
    detail: text().notNull(),
    createdAt: time().notNull(),
    resolvedAt: time(),
    resolvedBy: userId(),
    resolution: text(),
  },
  (t) => [
    uniqueIndex("discrepancies_subject").on(t.kind, t.subject),
    index("discrepancies_open").on(t.resolvedAt, t.createdAt),
  ],
);

/**
 * M-Pesa's own lists, each compared with our payments, payouts and refunds. The counts are of lines, but for
 * `missingThere`.
 */
export const mpesaLists = sqliteTable(
  "mpesa_lists",
  {
    id: id(),
    source: text({ enum: LIST_SOURCES }).notNull(),
    account: text({ enum: LIST_ACCOUNTS }).notNull(),
    /** The period that it covers. */
    fromAt: time().notNull(),
    untilAt: time().notNull(),
    equal: integer().notNull(),
    /** Of these, payments that we learned of from the list. */
    learned: integer().notNull(),
    missingHere: integer().notNull(),
    /** Payments, payouts and refunds of ours that it should have. */
    missingThere: integer().notNull(),
    different: integer().notNull(),
    /** Charges, and transfers between our own accounts. */
    ignored: integer().notNull(),
    /** The admin who sent it; null for a pulled one. */
    sentBy: userId(),
    createdAt: time().notNull(),
  },
  (t) => [index("mpesa_lists_source").on(t.source, t.createdAt)],
);

/** Lines of M-Pesa's lists that a person must look at, each once, however many lists show it. */
export const unmatchedLines = sqliteTable(
  "unmatched_lines",
  {
    /** The finding, and the receipt or else our record. */
    id: id(),
    /** The last list that showed it. */
    listId: text().notNull(),
    finding: text({ enum: LINE_FINDINGS }).notNull(),
    receipt: text(),
    /** Our payment, payout or refund. Null where we have none. */
    recordKind: text({ enum: RECORD_KINDS }),
    recordId: text(),
    /** Hundredths of KES in M-Pesa's list. What left us is below zero. Null where it isn't there. */
    listedCents: integer(),
    /** KES in our records, with the same sign. Null where we have none. */
    recordedAmount: integer(),
    /** The account reference that the payer gave. */
    reference: text(),
    /** M-Pesa's words for the kind of transaction. No names, and no numbers. */
    reason: text(),
    /** When M-Pesa completed it, or when we counted it as done. */
    at: time().notNull(),
    createdAt: time().notNull(),
    /** When a later list or M-Pesa's answer matched it, or an admin dealt with it. */
    closedAt: time(),
    closedBy: userId(),
    /** What the admin did. Null while it is open, and where it was matched. */
    resolution: text(),
  },
  (t) => [
    index("unmatched_lines_open")
      .on(t.createdAt)
      .where(sql`closed_at IS NULL`),
    index("unmatched_lines_list").on(t.listId),
  ],
);

/** The provider's access token. All isolates share one, because each new token ends the one before. */
export const darajaTokens = sqliteTable("daraja_tokens", {
  id: id(),
  accessToken: text(),
  expiresAt: time(),
  generation: integer().notNull().default(0),
  refreshingUntil: integer().notNull().default(0),
});
