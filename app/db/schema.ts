/**
 * The whole database. Table and column names follow both specifications (accounts §3, commerce §3); the rest is what the
 * server needs to be right. Conventions: ids are UUIDs (v4) unless said otherwise; times are integer milliseconds since
 * 1970; money is whole Kenyan shillings; nothing cascades, so that a delete can never take more than it names.
 */
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
import { CALLBACK_OUTCOMES } from "./states/callback.ts";
import { FAILURE_REASONS } from "./states/failure-reason.ts";
import { CLOSED_REASONS, PAYMENT_FAILURES, PAYMENT_REVIEWS } from "./states/order.ts";
import { PAYOUT_REASONS } from "./states/payout.ts";
import { REFUND_REASONS } from "./states/refund.ts";

function id() {
  return text().primaryKey();
}
function time() {
  return integer();
}
function flag() {
  return integer({ mode: "boolean" }).notNull().default(false);
}
function userId() {
  return text().references((): AnySQLiteColumn => credentials.id);
}

// ---------------------------------------------------------------- accounts

/** The sign-in account. A profile may be missing for a while (accounts spec §4, auth callback). */
export const credentials = sqliteTable(
  "credentials",
  {
    id: id(),
    /** Lower case. */
    email: text().notNull(),
    /** Self-describing: scheme, parameters, salt, hash. Null for accounts that only sign in with Google. */
    passwordHash: text(),
    googleSubject: text(),
    emailConfirmedAt: time(),
    /** Raised to end every session at once. */
    sessionEpoch: integer().notNull().default(1),
    /** Retired, as is `lockedUntil`: guesses are counted in `rate_counters`. Migrations only add, so the columns stay. */
    failedSignIns: integer().notNull().default(0),
    lockedUntil: time(),
    suspendedAt: time(),
    /** JSON: what was typed at sign-up, to prefill the profile. */
    metadata: text().notNull().default("{}"),
    createdAt: time().notNull(),
    updatedAt: time().notNull(),
  },
  (t) => [uniqueIndex("credentials_email").on(t.email), uniqueIndex("credentials_google").on(t.googleSubject)],
);

/** Single-use links by mail; only the hash is kept. */
export const emailTokens = sqliteTable(
  "email_tokens",
  {
    id: id(),
    tokenHash: text().notNull(),
    userId: userId().notNull(),
    purpose: text({ enum: ["confirmation", "password_reset"] }).notNull(),
    expiresAt: time().notNull(),
    usedAt: time(),
    createdAt: time().notNull(),
  },
  (t) => [
    uniqueIndex("email_tokens_hash").on(t.tokenHash),
    index("email_tokens_user").on(t.userId, t.purpose, t.createdAt),
  ],
);

export const campusLocations = sqliteTable(
  "campus_locations",
  { id: integer().primaryKey(), name: text().notNull() },
  (t) => [uniqueIndex("campus_locations_name").on(t.name)],
);

export const profiles = sqliteTable(
  "profiles",
  {
    id: text()
      .primaryKey()
      .references(() => credentials.id),
    fullName: text().notNull().default(""),
    email: text().notNull(),
    phone: text(),
    campusLocation: text(),
    campusLocationId: integer().references(() => campusLocations.id),
    accountType: text({ enum: ["student", "wholesaler"] })
      .notNull()
      .default("student"),
    isSeller: flag(),
    verificationStatus: text({ enum: ["pending", "approved", "rejected"] })
      .notNull()
      .default("pending"),
    isGoogleUser: flag(),
    onboardingCompleted: flag(),
    profileCompletedAt: time(),
    isPro: flag(),
    proUntil: time(),
    /** No payout to this seller before then: the number changed while money was coming. */
    payoutsHeldUntil: time(),
    isAdmin: flag(),
    deletedAt: time(),
    createdAt: time().notNull(),
    updatedAt: time().notNull(),
  },
  (t) => [index("profiles_email").on(t.email), index("profiles_verification").on(t.verificationStatus, t.createdAt)],
);

export const verificationDocuments = sqliteTable(
  "verification_documents",
  {
    id: id(),
    userId: userId().notNull(),
    documentType: text({ enum: ["student_id", "business_license"] }).notNull(),
    /** Key in the private bucket. */
    documentUrl: text().notNull(),
    fileName: text().notNull(),
    contentType: text().notNull(),
    sizeBytes: integer().notNull(),
    verificationStatus: text({ enum: ["pending", "approved", "rejected", "replaced"] })
      .notNull()
      .default("pending"),
    reviewReason: text(),
    reviewedBy: userId(),
    reviewedAt: time(),
    createdAt: time().notNull(),
  },
  (t) => [
    index("verification_documents_user").on(t.userId, t.createdAt),
    index("verification_documents_status").on(t.verificationStatus, t.createdAt),
  ],
);

export const wholesalerDetails = sqliteTable("wholesaler_details", {
  userId: text()
    .primaryKey()
    .references(() => credentials.id),
  businessName: text().notNull(),
  businessLicenseNumber: text(),
  taxId: text(),
  businessAddress: text(),
  businessPhone: text(),
  businessEmail: text(),
  businessDescription: text(),
  businessWebsite: text(),
  verificationStatus: text({ enum: ["pending", "approved", "rejected"] })
    .notNull()
    .default("pending"),
  createdAt: time().notNull(),
  updatedAt: time().notNull(),
});

export const wholesalerCodes = sqliteTable(
  "wholesaler_codes",
  {
    id: id(),
    code: text().notNull(),
    createdBy: userId(),
    creatorEmail: text(),
    isUsed: flag(),
    /** The e-mail address of the one who used it. */
    usedBy: text(),
    usedAt: time(),
    createdAt: time().notNull(),
  },
  (t) => [uniqueIndex("wholesaler_codes_code").on(t.code), index("wholesaler_codes_created").on(t.createdAt, t.id)],
);

// --------------------------------------------------------------- catalogue

export const categories = sqliteTable(
  "categories",
  {
    /** Readable: textbooks, electronics … */
    id: id(),
    name: text().notNull(),
    /** Lower case and trimmed: no two categories differ by case only. */
    nameKey: text().notNull(),
    description: text(),
    status: text({ enum: ["approved", "pending"] })
      .notNull()
      .default("pending"),
    createdBy: userId(),
    createdAt: time().notNull(),
  },
  (t) => [uniqueIndex("categories_name_key").on(t.nameKey), index("categories_status").on(t.status, t.name)],
);

/** One picture of a product: `key` names its variants in the public bucket. */
export interface ProductImage {
  /** `/files/{key}/{width}.{format}` serves a variant. */
  key: string;
  /** WebP where it is not said. */
  format?: "webp" | "jpg" | "png";
  /** Of the largest variant, px. */
  width: number;
  height: number;
  /** Widths that exist, ascending, px. */
  widths: number[];
  /** Average colour `#rrggbb`, shown until the picture is there. */
  tone: string;
  /** Base64; empty where nobody could compute it. */
  thumbhash: string;
}

export const products = sqliteTable(
  "products",
  {
    id: id(),
    name: text().notNull(),
    description: text().notNull(),
    /** KES; 0 is a giveaway. */
    price: integer().notNull(),
    originalPrice: integer(),
    /** The cover's path; the first of `images`. */
    imageUrl: text(),
    images: text({ mode: "json" }).$type<ProductImage[]>().notNull().default([]),
    condition: text({ enum: ["new", "like_new", "good", "fair"] })
      .notNull()
      .default("new"),
    location: text().notNull().default("Unknown"),
    /** A category id, or a plain text name. */
    category: text(),
    sellerId: userId().notNull(),
    status: text({ enum: ["active", "sold", "out_of_stock"] })
      .notNull()
      .default("active"),
    soldAt: time(),
    /** Retired: a listing is featured with its shop. Migrations only add columns, so it stays. */
    featuredUntil: time(),
    /** Taken down by an admin. */
    suspendedAt: time(),
    /** A tombstone: hidden everywhere, kept for order history. */
    deletedAt: time(),
    createdAt: time().notNull(),
    updatedAt: time().notNull(),
  },
  (t) => [
    // The feed and category pages read only live products, in the order they show them; each set of filters seeks in its own
    // sorted index. A campus without a condition seeks once for each condition.
    index("products_feed")
      .on(t.createdAt, t.id)
      .where(sql`deleted_at IS NULL AND suspended_at IS NULL`),
    index("products_category_newest")
      .on(t.category, t.createdAt, t.id)
      .where(sql`deleted_at IS NULL AND suspended_at IS NULL`),
    index("products_category_price")
      .on(t.category, t.price, t.id)
      .where(sql`deleted_at IS NULL AND suspended_at IS NULL`),
    index("products_category_condition_newest")
      .on(t.category, t.condition, t.createdAt, t.id)
      .where(sql`deleted_at IS NULL AND suspended_at IS NULL`),
    index("products_category_condition_price")
      .on(t.category, t.condition, t.price, t.id)
      .where(sql`deleted_at IS NULL AND suspended_at IS NULL`),
    index("products_category_location_condition_newest")
      .on(t.category, t.location, t.condition, t.createdAt, t.id)
      .where(sql`deleted_at IS NULL AND suspended_at IS NULL`),
    index("products_category_location_condition_price")
      .on(t.category, t.location, t.condition, t.price, t.id)
      .where(sql`deleted_at IS NULL AND suspended_at IS NULL`),
    index("products_seller").on(t.sellerId, t.createdAt, t.id),
    index("products_seller_status").on(t.sellerId, t.status, t.createdAt, t.id),
    // Suggestions step from name to name.
    index("products_names")
      .on(sql`lower(name)`)
      .where(sql`deleted_at IS NULL AND suspended_at IS NULL`),
  ],
);

/** Files that were uploaded and may not be attached to anything; the daily job sweeps those that are not. */
export const uploads = sqliteTable(
  "uploads",
  {
    /** Of a document its key; of a photo what its variants' keys begin with. */
    key: id(),
    ownerId: userId().notNull(),
    bucket: text({ enum: ["media", "documents"] }).notNull(),
    /** Of photos: what a product row says about them. */
    image: text({ mode: "json" }).$type<ProductImage>(),
    attachedAt: time(),
    /** The sweep is taking it away; it can no longer be attached. */
    removingAt: time(),
    createdAt: time().notNull(),
  },
  (t) => [index("uploads_orphans").on(t.attachedAt, t.createdAt)],
);

// ------------------------------------------------------------------- shops

export const shops = sqliteTable(
  "shops",
  {
    /** The owner's user id. */
    id: text()
      .primaryKey()
      .references(() => credentials.id),
    shopName: text().notNull(),
    description: text(),
    bannerUrl: text(),
    offersDelivery: flag(),
    /** JSON where it could be parsed, else text. */
    businessHours: text(),
    policies: text(),
    preferredContact: text(),
    featuredUntil: time(),
    createdAt: time().notNull(),
    updatedAt: time().notNull(),
  },
  (t) => [index("shops_newest").on(t.createdAt, t.id), index("shops_featured").on(t.featuredUntil)],
);

export const shopFollows = sqliteTable(
  "shop_follows",
  {
    userId: userId().notNull(),
    shopId: text()
      .notNull()
      .references(() => shops.id),
    createdAt: time().notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.shopId] }), index("shop_follows_shop").on(t.shopId)],
);

export const shopReviews = sqliteTable(
  "shop_reviews",
  {
    id: id(),
    shopId: text()
      .notNull()
      .references(() => shops.id),
    userId: userId().notNull(),
    orderItemId: text().notNull(),
    /** 1 to 5. */
    rating: integer().notNull(),
    comment: text(),
    createdAt: time().notNull(),
  },
  (t) => [uniqueIndex("shop_reviews_item").on(t.orderItemId), index("shop_reviews_shop").on(t.shopId, t.createdAt)],
);

export const subscriptions = sqliteTable(
  "subscriptions",
  {
    id: id(),
    userId: userId().notNull(),
    plan: text({ enum: ["weekly_featured", "biweekly_featured", "monthly_premium"] }).notNull(),
    /** KES. */
    amount: integer().notNull(),
    status: text({ enum: ["pending_payment", "active", "ended"] })
      .notNull()
      .default("pending_payment"),
    startsAt: time(),
    endsAt: time(),
    createdAt: time().notNull(),
    updatedAt: time().notNull(),
  },
  (t) => [
    index("subscriptions_user").on(t.userId, t.createdAt),
    index("subscriptions_ending").on(t.status, t.endsAt),
    // One at a time waits for its payment, however often Subscribe is pressed.
    uniqueIndex("subscriptions_waiting")
      .on(t.userId, t.plan)
      .where(sql`status = 'pending_payment'`),
  ],
);

// ------------------------------------------------------------------ basket

export const cartItems = sqliteTable(
  "cart_items",
  {
    id: id(),
    userId: userId().notNull(),
    productId: text()
      .notNull()
      .references(() => products.id),
    /** 1 to 99. */
    quantity: integer().notNull().default(1),
    /** KES, when it was put in: a change since is shown before checkout. */
    priceWhenAdded: integer().notNull().default(0),
    createdAt: time().notNull(),
    updatedAt: time().notNull(),
  },
  (t) => [
    uniqueIndex("cart_items_user_product").on(t.userId, t.productId),
    index("cart_items_product").on(t.productId),
  ],
);

export const wishlistItems = sqliteTable(
  "wishlist_items",
  {
    id: id(),
    userId: userId().notNull(),
    productId: text()
      .notNull()
      .references(() => products.id),
    createdAt: time().notNull(),
  },
  (t) => [
    uniqueIndex("wishlist_items_user_product").on(t.userId, t.productId),
    index("wishlist_items_product").on(t.productId),
  ],
);

// ------------------------------------------------------------------ orders

export const orders = sqliteTable(
  "orders",
  {
    id: id(),
    userId: userId().notNull(),
    /** KES, computed from the products' prices in the database when the order was placed. */
    amount: integer().notNull(),
    paymentStatus: text({ enum: ["pending", "processing", "completed", "failed"] })
      .notNull()
      .default("pending"),
    orderStatus: text({ enum: ["pending_payment", "pending", "processing", "shipped", "delivered", "expired"] })
      .notNull()
      .default("pending_payment"),
    phoneNumber: text(),
    checkoutRequestId: text(),
    mpesaReceipt: text(),
    paymentDate: time(),
    /** Retired: it held the sentence that the buyer read, which the three codes below replace. Migrations only add. */
    paymentError: text(),
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
    /** "cart" orders empty those lines from the cart once paid. */
    source: text({ enum: ["cart", "buy_now"] })
      .notNull()
      .default("cart"),
    /** The buyer's other order in favour of which this one was closed unpaid: of the two only one is ever paid for. */
    replacedBy: text().references((): AnySQLiteColumn => orders.id),
    createdAt: time().notNull(),
    updatedAt: time().notNull(),
  },
  (t) => [
    uniqueIndex("orders_idempotency").on(t.userId, t.idempotencyKey),
    index("orders_user").on(t.userId, t.createdAt, t.id),
    index("orders_open").on(t.paymentStatus, t.createdAt),
    index("orders_checkout_request").on(t.checkoutRequestId),
  ],
);

/** How an open item ranks in its seller's list: ready to ship, needing contact, waiting for the buyer, on its way (commerce spec §2). */
export const deskRank = sql`CASE WHEN status = 'shipped' THEN 3 WHEN buyer_agreed = 1 THEN 0 WHEN buyer_contacted = 0 THEN 1 ELSE 2 END`;

export const orderItems = sqliteTable(
  "order_items",
  {
    id: id(),
    orderId: text()
      .notNull()
      .references(() => orders.id),
    productId: text()
      .notNull()
      .references(() => products.id),
    sellerId: userId().notNull(),
    /** The name and cover as they were when ordered. */
    productName: text().notNull(),
    productImage: text({ mode: "json" }).$type<ProductImage | null>(),
    quantity: integer().notNull(),
    /** KES. */
    pricePerUnit: integer().notNull(),
    subtotal: integer().notNull(),
    status: text({ enum: ["pending_payment", "processing", "shipped", "delivered", "expired"] })
      .notNull()
      .default("pending_payment"),
    buyerContacted: flag(),
    buyerAgreed: flag(),
    shippedAt: time(),
    deliveredAt: time(),
    createdAt: time().notNull(),
    updatedAt: time().notNull(),
  },
  (t) => [
    uniqueIndex("order_items_order_product").on(t.orderId, t.productId),
    index("order_items_seller").on(t.sellerId, t.status, t.createdAt),
    index("order_items_desk")
      .on(t.sellerId, deskRank, t.createdAt, t.id)
      .where(sql`status IN ('processing', 'shipped')`),
    index("order_items_product").on(t.productId),
  ],
);

/** What a seller sold on one day, kept by triggers on `order_items`: a shop's figures cost a row a day, however much it sells. */
export const sellerDays = sqliteTable(
  "seller_days",
  {
    sellerId: userId().notNull(),
    /** Days since 1970 in East Africa Time. */
    day: integer().notNull(),
    /** Paid order items. */
    sales: integer().notNull(),
    /** KES, what they come to. */
    revenue: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.sellerId, t.day] })],
);

export const issueReports = sqliteTable(
  "issue_reports",
  {
    id: id(),
    userId: userId().notNull(),
    sellerId: userId(),
    productId: text().references(() => products.id),
    orderId: text().references(() => orders.id),
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

// ---------------------------------------------------------------- payments

/** One request to a customer to pay. Written before Safaricom is called. States: `payments/rules.ts`. */
export const paymentAttempts = sqliteTable(
  "payment_attempts",
  {
    id: id(),
    purpose: text({ enum: ["order", "subscription"] }).notNull(),
    orderId: text().references(() => orders.id),
    subscriptionId: text().references(() => subscriptions.id),
    userId: userId().notNull(),
    phone: text().notNull(),
    /** KES. */
    amount: integer().notNull(),
    state: text({ enum: ["created", "pushed", "unknown", "succeeded", "failed", "refused", "expired", "held"] })
      .notNull()
      .default("created"),
    /** Unguessable; stands in the callback's path. */
    callbackToken: text().notNull(),
    merchantRequestId: text(),
    checkoutRequestId: text(),
    receipt: text(),
    /** The provider's own code and words, for people who look into it. */
    resultCode: text(),
    resultDesc: text(),
    failureReason: text({ enum: FAILURE_REASONS }),
    /** When a query confirmed the success; payouts wait for it. */
    confirmedAt: time(),
    queryCount: integer().notNull().default(0),
    /** When the reconciliation job asks next; null: never. */
    nextQueryAt: time(),
    createdAt: time().notNull(),
    settledAt: time(),
    updatedAt: time().notNull(),
  },
  (t) => [
    uniqueIndex("payment_attempts_token").on(t.callbackToken),
    uniqueIndex("payment_attempts_checkout_request").on(t.checkoutRequestId),
    uniqueIndex("payment_attempts_receipt").on(t.receipt),
    // One live attempt an order, whatever two tabs do at once.
    uniqueIndex("payment_attempts_live_order")
      .on(t.orderId)
      .where(sql`state IN ('created', 'pushed', 'unknown')`),
    uniqueIndex("payment_attempts_live_subscription")
      .on(t.subscriptionId)
      .where(sql`state IN ('created', 'pushed', 'unknown')`),
    index("payment_attempts_order").on(t.orderId, t.createdAt),
    index("payment_attempts_subscription").on(t.subscriptionId, t.createdAt),
    index("payment_attempts_phone").on(t.phone, t.createdAt),
    index("payment_attempts_due").on(t.nextQueryAt),
    index("payment_attempts_state").on(t.state, t.createdAt),
  ],
);

/** What a seller is paid for one delivered item: one row and one conversation id, for ever. States: `payments/rules.ts`. */
export const payouts = sqliteTable(
  "payouts",
  {
    id: id(),
    orderItemId: text()
      .notNull()
      .references(() => orderItems.id),
    sellerId: userId().notNull(),
    phone: text(),
    /** KES. */
    amount: integer().notNull(),
    state: text({ enum: ["due", "sending", "sent", "unknown", "paid", "parked"] })
      .notNull()
      .default("due"),
    /** Ours, sent as OriginatorConversationID. */
    conversationId: text().notNull(),
    callbackToken: text().notNull(),
    providerConversationId: text(),
    transactionId: text(),
    resultCode: text(),
    resultDesc: text(),
    /** Why it waits or was parked. */
    reasonCode: text({ enum: PAYOUT_REASONS }),
    /** What the admin who parked it wrote, or M-Pesa's own message; null where the code says it all. */
    reason: text(),
    sendCount: integer().notNull().default(0),
    lookupCount: integer().notNull().default(0),
    /** When the job acts on it next; null: never. */
    nextActionAt: time(),
    createdAt: time().notNull(),
    sentAt: time(),
    settledAt: time(),
    updatedAt: time().notNull(),
  },
  (t) => [
    uniqueIndex("payouts_order_item").on(t.orderItemId),
    uniqueIndex("payouts_conversation").on(t.conversationId),
    uniqueIndex("payouts_token").on(t.callbackToken),
    uniqueIndex("payouts_transaction").on(t.transactionId),
    index("payouts_due").on(t.nextActionAt),
    index("payouts_state").on(t.state, t.createdAt),
    index("payouts_seller").on(t.sellerId, t.createdAt),
  ],
);

/** Raw inbox: every callback is kept before anything is decided. */
export const paymentCallbacks = sqliteTable(
  "payment_callbacks",
  {
    id: id(),
    kind: text({ enum: ["push", "payout", "payout_timeout", "lookup", "lookup_timeout"] }).notNull(),
    token: text().notNull(),
    body: text().notNull(),
    sourceAddress: text(),
    requestId: text(),
    receivedAt: time().notNull(),
    appliedAt: time(),
    outcome: text({ enum: CALLBACK_OUTCOMES }),
  },
  (t) => [
    index("payment_callbacks_unapplied")
      .on(t.receivedAt)
      .where(sql`applied_at IS NULL`),
    index("payment_callbacks_token").on(t.token, t.receivedAt),
    index("payment_callbacks_received").on(t.receivedAt, t.id),
  ],
);

/** Money that came in and must go back. */
export const refunds = sqliteTable(
  "refunds",
  {
    id: id(),
    attemptId: text()
      .notNull()
      .references(() => paymentAttempts.id),
    orderId: text().references(() => orders.id),
    amount: integer().notNull(),
    reason: text({ enum: REFUND_REASONS }).notNull(),
    state: text({ enum: ["due", "done"] })
      .notNull()
      .default("due"),
    receipt: text(),
    doneBy: userId(),
    createdAt: time().notNull(),
    doneAt: time(),
  },
  (t) => [uniqueIndex("refunds_attempt").on(t.attemptId), index("refunds_state").on(t.state, t.createdAt)],
);

/** Append-only double entry. The amounts of one transaction sum to zero; debits are positive. */
export const ledgerEntries = sqliteTable(
  "ledger_entries",
  {
    id: id(),
    transactionId: text().notNull(),
    account: text({
      enum: [
        "mpesa_collection",
        "mpesa_payout_float",
        "escrow",
        "seller_payable",
        "refunds_due",
        "fees",
        "suspense",
        "plans",
      ],
    }).notNull(),
    kind: text({ enum: ["charge", "release", "payout", "fee", "refund_due", "refund", "suspense"] }).notNull(),
    /** KES, signed: debit above zero. */
    amount: integer().notNull(),
    orderId: text(),
    orderItemId: text(),
    attemptId: text(),
    payoutId: text(),
    createdAt: time().notNull(),
  },
  (t) => [
    // The same leg of the same transaction can never be booked twice.
    uniqueIndex("ledger_entries_leg").on(t.transactionId, t.account, t.kind),
    index("ledger_entries_account").on(t.account, t.createdAt),
    index("ledger_entries_order").on(t.orderId),
  ],
);

/** Something a person must look at. */
export const discrepancies = sqliteTable(
  "discrepancies",
  {
    id: id(),
    kind: text().notNull(),
    /** One open row a subject and kind. */
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

export const dailySummaries = sqliteTable("daily_summaries", {
  /** YYYY-MM-DD in East Africa Time. */
  day: id(),
  summary: text().notNull(),
  createdAt: time().notNull(),
});

/** The provider's access token: one, shared by every isolate, because each new one ends the last. */
export const darajaTokens = sqliteTable("daraja_tokens", {
  id: id(),
  accessToken: text(),
  expiresAt: time(),
  generation: integer().notNull().default(0),
  refreshingUntil: integer().notNull().default(0),
});

// --------------------------------------------------------------- messaging

export const messages = sqliteTable(
  "messages",
  {
    id: id(),
    /** Both user ids in order, joined by a colon: one conversation, one key. */
    thread: text().notNull(),
    senderId: userId().notNull(),
    recipientId: userId().notNull(),
    productId: text().references(() => products.id),
    orderId: text().references(() => orders.id),
    orderItemId: text().references(() => orderItems.id),
    message: text().notNull(),
    images: text({ mode: "json" }).$type<ProductImage[]>().notNull().default([]),
    senderName: text().notNull(),
    recipientName: text().notNull(),
    read: flag(),
    /** With an "agreement" the buyer agreed to how the item reaches them. */
    kind: text({ enum: ["text", "agreement"] })
      .notNull()
      .default("text"),
    /** Chosen by the client, so that a retry never sends twice. */
    idempotencyKey: text(),
    createdAt: time().notNull(),
  },
  (t) => [
    index("messages_thread").on(t.thread, t.createdAt, t.id),
    index("messages_unread")
      .on(t.recipientId)
      .where(sql`read = 0`),
    index("messages_recipient").on(t.recipientId, t.createdAt),
    index("messages_sender").on(t.senderId, t.createdAt),
    index("messages_item").on(t.orderItemId, t.createdAt),
    uniqueIndex("messages_idempotency").on(t.senderId, t.idempotencyKey),
  ],
);

/**
 * The inbox: one row for each side of a conversation, kept by triggers on messages, so that listing conversations reads none of
 * the messages behind them.
 */
export const conversations = sqliteTable(
  "conversations",
  {
    userId: userId().notNull(),
    otherId: userId().notNull(),
    lastMessageId: text()
      .notNull()
      .references(() => messages.id),
    lastAt: time().notNull(),
    /** Messages from the other that `userId` has not read. */
    unread: integer().notNull().default(0),
    /** What the latest message that was about something was about. */
    productId: text().references(() => products.id),
    orderId: text().references(() => orders.id),
    orderItemId: text().references(() => orderItems.id),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.otherId] }),
    index("conversations_inbox").on(t.userId, t.lastAt, t.otherId),
  ],
);

export const blocks = sqliteTable(
  "blocks",
  { userId: userId().notNull(), blockedId: userId().notNull(), createdAt: time().notNull() },
  (t) => [primaryKey({ columns: [t.userId, t.blockedId] })],
);

export const messageReports = sqliteTable(
  "message_reports",
  {
    id: id(),
    userId: userId().notNull(),
    thread: text().notNull(),
    reportedId: userId().notNull(),
    reason: text().notNull(),
    status: text({ enum: ["open", "closed"] })
      .notNull()
      .default("open"),
    outcome: text(),
    notes: text(),
    createdAt: time().notNull(),
    closedAt: time(),
  },
  (t) => [index("message_reports_status").on(t.status, t.createdAt)],
);

// ------------------------------------------------------- admin and plumbing

/** Who did what, when. Append-only. */
export const auditLog = sqliteTable(
  "audit_log",
  {
    id: id(),
    actorId: userId().notNull(),
    action: text().notNull(),
    subject: text().notNull(),
    detail: text(),
    createdAt: time().notNull(),
  },
  (t) => [index("audit_log_created").on(t.createdAt, t.id), index("audit_log_subject").on(t.subject, t.createdAt)],
);

/** What must happen outside the database after a commit; written in the same batch as its cause. */
export const outbox = sqliteTable(
  "outbox",
  {
    id: id(),
    topic: text({ enum: ["mail"] }).notNull(),
    /** The same cause never queues the same effect twice. */
    dedupeKey: text().notNull(),
    /** JSON. */
    payload: text().notNull(),
    attempts: integer().notNull().default(0),
    availableAt: time().notNull(),
    doneAt: time(),
    /** Given up after the last try. */
    deadAt: time(),
    lastError: text(),
    createdAt: time().notNull(),
  },
  (t) => [
    uniqueIndex("outbox_dedupe").on(t.dedupeKey),
    index("outbox_waiting")
      .on(t.availableAt)
      .where(sql`done_at IS NULL AND dead_at IS NULL`),
  ],
);

/** Counters that must hold everywhere at once, unlike the rate-limit bindings, which are per place. */
export const rateCounters = sqliteTable(
  "rate_counters",
  { key: id(), windowStart: time().notNull(), count: integer().notNull() },
  (t) => [index("rate_counters_window").on(t.windowStart)],
);

/** One holder at a time for a scheduled job. */
export const leases = sqliteTable("leases", { name: id(), until: time().notNull() });
