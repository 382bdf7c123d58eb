/**
 * The whole database. Conventions: ids are UUIDs (v4) unless said otherwise; times are integer milliseconds since
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
import { stateIs } from "./state-is.ts";
import { ADMIN_ROLES } from "./states/admin.ts";
import { ALARM_NAMES } from "./states/alarm.ts";
import { ATTEMPT, ATTEMPT_STATES } from "./states/attempt.ts";
import { CALLBACK, CALLBACK_OUTCOMES } from "./states/callback.ts";
import { DEAL_ACTORS, DEAL_EVENTS, DEAL_TIMERS, PROBLEM_KINDS } from "./states/deal.ts";
import { ITEM, ITEM_STATUSES } from "./states/item.ts";
import { MEETING_STATES } from "./states/meeting.ts";
import { CASE, CASE_DECISIONS, CASE_STATES, CASE_SUBJECTS, COPY_KINDS, REPORT_REASONS } from "./states/moderation.ts";
import { LINE_FINDINGS, LIST_ACCOUNTS, LIST_SOURCES, RECORD_KINDS } from "./states/mpesa-list.ts";
import { OFFER, OFFER_END_REASONS, OFFER_STATES } from "./states/offer.ts";
import {
  CLOSED_REASONS,
  ORDER,
  ORDER_STATUSES,
  PAYMENT,
  PAYMENT_FAILURES,
  PAYMENT_REVIEWS,
  PAYMENT_STATUSES,
} from "./states/order.ts";
import { PLAN, PLAN_STATUSES } from "./states/plan.ts";
import { REFUND_REASONS } from "./states/refund.ts";
import { REVIEW_ROLES, type ReviewTag } from "./states/review.ts";
import { TRANSFER, TRANSFER_METHODS, TRANSFER_STATES, WAIT_REASONS } from "./states/transfer.ts";
import { VERIFIED_LEVELS } from "./states/verified.ts";

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
function productId() {
  return text().references((): AnySQLiteColumn => products.id);
}
function orderId() {
  return text().references((): AnySQLiteColumn => orders.id);
}
function orderItemId() {
  return text().references((): AnySQLiteColumn => orderItems.id);
}
function attemptId() {
  return text().references((): AnySQLiteColumn => paymentAttempts.id);
}

// ---------------------------------------------------------------- accounts

/** The login account. Its profile may be missing until "Complete your profile" is sent. */
export const credentials = sqliteTable(
  "credentials",
  {
    id: id(),
    /** Lower case. */
    email: text().notNull(),
    /** Scheme, parameters, salt and hash in one text. Null for accounts that log in with Google only. */
    passwordHash: text(),
    googleSubject: text(),
    emailConfirmedAt: time(),
    /** Raised to end every session at once. */
    sessionEpoch: integer().notNull().default(1),
    /** When the email or a second step last changed. */
    accessChangedAt: time(),
    /** When its owner took it back by a link. Null once they have chosen a new password: until then, payouts wait. */
    takenBackAt: time(),
    suspendedAt: time(),
    /** Keyed hashes of the recovery codes that haven't been used. Null without a second step. */
    recoveryCodes: text({ mode: "json" }).$type<string[]>(),
    /** When they were made. */
    recoveryCodesAt: time(),
    /** JSON: the fields of the sign-up, to prefill the profile. */
    metadata: text().notNull().default("{}"),
    createdAt: time().notNull(),
    updatedAt: time().notNull(),
  },
  (t) => [
    uniqueIndex("credentials_email").on(t.email),
    uniqueIndex("credentials_google").on(t.googleSubject),
    // How many signed up lately.
    index("credentials_created").on(t.createdAt),
  ],
);

/** Sessions that somebody has logged out of. Rows are removed when KV has forgotten the session for certain. */
export const endedSessions = sqliteTable("ended_sessions", { id: id(), endedAt: time().notNull() }, (t) => [
  index("ended_sessions_ended_at").on(t.endedAt),
]);

/** Single-use links in emails. Only the hash of the token is kept. */
export const emailTokens = sqliteTable(
  "email_tokens",
  {
    id: id(),
    tokenHash: text().notNull(),
    userId: userId().notNull(),
    purpose: text({ enum: ["confirmation", "password_reset", "email_change", "account_undo"] }).notNull(),
    /**
     * The address that the link sets: the new one of a change, or the one before what is undone. Lower case. Null
     * otherwise.
     */
    email: text(),
    /**
     * JSON, for what undoes: how the account stood before the first change (accounts/login/account-change.server.ts).
     */
    accountBefore: text(),
    expiresAt: time().notNull(),
    usedAt: time(),
    createdAt: time().notNull(),
  },
  (t) => [
    uniqueIndex("email_tokens_hash").on(t.tokenHash),
    index("email_tokens_user").on(t.userId, t.purpose, t.createdAt),
    index("email_tokens_expires").on(t.expiresAt),
  ],
);

export const campusLocations = sqliteTable(
  "campus_locations",
  { id: integer().primaryKey(), name: text().notNull() },
  (t) => [uniqueIndex("campus_locations_name").on(t.name)],
);

/** A public place on a campus where a buyer and a seller can meet. Admins edit them. */
export const meetingPoints = sqliteTable(
  "meeting_points",
  {
    id: id(),
    campusId: integer()
      .notNull()
      .references(() => campusLocations.id),
    name: text().notNull(),
    /** Minutes after midnight in East Africa Time. */
    opensAt: integer().notNull(),
    closesAt: integer().notNull(),
    /** Closed on Saturdays and Sundays. */
    weekdaysOnly: flag(),
    /** Removed by an admin: it can't be suggested any more. */
    hiddenAt: time(),
    createdAt: time().notNull(),
  },
  (t) => [uniqueIndex("meeting_points_name").on(t.campusId, t.name)],
);

/** Email domains of universities in Kenya. A confirmed address at one of them, or below it, verifies a student. */
export const universityDomains = sqliteTable("university_domains", {
  /** Lower case, without "@". */
  domain: text().primaryKey(),
  /** The university's name. */
  name: text().notNull(),
  createdAt: time().notNull(),
});

export const profiles = sqliteTable(
  "profiles",
  {
    id: userId().primaryKey(),
    fullName: text().notNull().default(""),
    /** The name as searches compare it (`nameColumns`). */
    searchName: text().notNull(),
    email: text().notNull(),
    phone: text(),
    /** The path of the photo's smallest variant. Only members see it. */
    photoUrl: text(),
    campusLocation: text(),
    campusLocationId: integer().references(() => campusLocations.id),
    accountType: text({ enum: ["student", "wholesaler"] })
      .notNull()
      .default("student"),
    isSeller: flag(),
    verificationStatus: text({ enum: ["pending", "approved", "rejected"] })
      .notNull()
      .default("pending"),
    /** What has been verified about them (`afterVerifiedChanged`). */
    verifiedLevel: text({ enum: VERIFIED_LEVELS }).notNull().default("none"),
    isGoogleUser: flag(),
    onboardingCompleted: flag(),
    profileCompletedAt: time(),
    isPro: flag(),
    proUntil: time(),
    /** The number that they asked us to remember for their next payment. */
    payingPhone: text(),
    /** No payout to this seller before then: the number changed. */
    payoutsHeldUntil: time(),
    /** Null for everybody who is no admin. */
    adminRole: text({ enum: ADMIN_ROLES }),
    deletedAt: time(),
    createdAt: time().notNull(),
    updatedAt: time().notNull(),
  },
  (t) => [
    index("profiles_email").on(t.email),
    index("profiles_verification").on(t.verificationStatus, t.createdAt),
    // Whose number a prompt is for.
    index("profiles_phone")
      .on(t.phone, t.createdAt, t.id)
      .where(sql`phone IS NOT NULL`),
  ],
);

/**
 * Addresses by which accounts are recognised, each as a keyed hash: nobody can read the address from it, but the same
 * one is recognised. What somebody did follows each address that they had.
 */
export const rememberedEmails = sqliteTable(
  "remembered_emails",
  {
    emailHash: text().notNull(),
    /**
     * former: the account had it before its present one. deleted: its last one, while something of the deleted account
     * is kept. admin: listed in `ADMIN_EMAILS`, it made the account an owner. It makes no other account one, also once
     * this one is deleted.
     */
    kind: text({ enum: ["former", "deleted", "admin"] }).notNull(),
    userId: userId().notNull(),
    createdAt: time().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.emailHash, t.kind, t.userId] }),
    index("remembered_emails_user").on(t.kind, t.userId),
    uniqueIndex("remembered_emails_admin")
      .on(t.emailHash)
      .where(sql`kind = 'admin'`),
  ],
);

/** The authenticator app of an account, the second step of its login (accounts/two-step). */
export const authenticators = sqliteTable("authenticators", {
  userId: userId().primaryKey(),
  /** Encrypted with a key that the database doesn't have. */
  secret: text().notNull(),
  /** Null until the app has shown that it has the secret. */
  confirmedAt: time(),
  /** The session in which the set-up began. No other one sees the secret. */
  startedBy: text().notNull(),
  /** The period of the last code that was used. No older code counts, so each works once. */
  lastPeriod: integer().notNull().default(0),
  createdAt: time().notNull(),
});

/** The passkeys of an account, as a second step of its login. */
export const passkeys = sqliteTable(
  "passkeys",
  {
    /** The credential's id, as base64url. */
    id: id(),
    userId: userId().notNull(),
    /** As base64url of its SubjectPublicKeyInfo. */
    publicKey: text().notNull(),
    /** How often the authenticator says that it was used; 0 where it doesn't count. */
    signCount: integer().notNull(),
    /** No challenge from before then counts, so each works once. */
    lastUsedAt: time().notNull(),
    createdAt: time().notNull(),
  },
  (t) => [index("passkeys_user").on(t.userId)],
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
  userId: userId().primaryKey(),
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
    /** The email address of the account that used the code. It changes with the account's. */
    usedBy: text(),
    usedAt: time(),
    createdAt: time().notNull(),
  },
  (t) => [uniqueIndex("wholesaler_codes_code").on(t.code), index("wholesaler_codes_created").on(t.createdAt, t.id)],
);

// ----------------------------------------------------------- notifications

/** The browsers that show a person's notifications while the app is closed (Web Push). */
export const pushSubscriptions = sqliteTable(
  "push_subscriptions",
  {
    id: id(),
    userId: userId().notNull(),
    /** The address of this browser at its push service. It belongs to whoever logged in there last. */
    endpoint: text().notNull(),
    /** The browser's public key and its secret, as base64url (RFC 8291). */
    p256dh: text().notNull(),
    auth: text().notNull(),
    /** Such as "Chrome on Android". */
    deviceName: text().notNull(),
    /** The session that it was registered in. It gets nothing once the session has ended. */
    sessionId: text().notNull(),
    sessionEpoch: integer().notNull(),
    /** When that session runs out unless the app is opened again. */
    endsAt: time().notNull(),
    createdAt: time().notNull(),
    /** When the app was last opened there, to within an hour. */
    usedAt: time().notNull(),
  },
  (t) => [uniqueIndex("push_subscriptions_endpoint").on(t.endpoint), index("push_subscriptions_user").on(t.userId)],
);

// --------------------------------------------------------------- catalogue

export const categories = sqliteTable(
  "categories",
  {
    /** A readable id: textbooks, electronics … */
    id: id(),
    name: text().notNull(),
    /** The name in lower case and trimmed, so that no two categories differ only by case. */
    nameKey: text().notNull(),
    description: text(),
    status: text({ enum: ["approved", "pending"] })
      .notNull()
      .default("pending"),
    /** Null for those that Chuoni began with. */
    createdBy: userId(),
    createdAt: time().notNull(),
    /** How many listings it had for sale when they were last counted (`countCategories`): the most used come first. */
    listingCount: integer().notNull().default(0),
  },
  (t) => [
    uniqueIndex("categories_name_key").on(t.nameKey),
    index("categories_status").on(t.status, t.name),
    index("categories_browsed")
      .on(sql`listing_count DESC`, t.name)
      .where(sql`status = 'approved'`),
  ],
);

/** One picture of a product: `key` names its variants in the public bucket. */
export interface ProductImage {
  /** `/files/{key}/{width}.{format}` serves a variant. */
  key: string;
  /** WebP when undefined. */
  format?: "webp" | "jpg" | "png";
  /** Of the largest variant, px. */
  width: number;
  height: number;
  /** Widths that exist, ascending, px. */
  widths: number[];
  /** Average colour `#rrggbb`, shown until the picture is there. */
  tone: string;
  /** Base64. Empty when the browser couldn't compute it. */
  thumbhash: string;
  /** Whether the same folder has `preview.jpg`. */
  preview?: boolean;
}

const FOR_SALE = sql`status = 'active' AND deleted_at IS NULL AND suspended_at IS NULL`;

export const products = sqliteTable(
  "products",
  {
    id: id(),
    name: text().notNull(),
    description: text().notNull(),
    /** KES; 0 is a giveaway. */
    price: integer().notNull(),
    originalPrice: integer(),
    /** The path of the cover, which is the first of `images`. */
    imageUrl: text(),
    images: text({ mode: "json" }).$type<ProductImage[]>().notNull().default([]),
    condition: text({ enum: ["new", "like_new", "good", "fair"] })
      .notNull()
      .default("new"),
    location: text().notNull().default("Unknown"),
    /** A category id, or a plain text name. */
    category: text(),
    /** What kind of thing it is: an id of `app/catalogue/types`; null where its rules aren't sure. */
    type: text(),
    /** The seller chose the type, or that it has none, so no rule changes it. */
    typeChosen: flag(),
    /**
     * Its brand, its size …, by the facts of `app/catalogue/facts`: what its seller chose, or else what its name says.
     */
    facts: text({ mode: "json" }).$type<Record<string, string>>().notNull().default({}),
    /** What its seller chose, so no rule changes it; null: that isn't said. */
    factsChosen: text({ mode: "json" }).$type<Record<string, string | null>>().notNull().default({}),
    sellerId: userId().notNull(),
    /** "unconfirmed": its seller didn't answer whether it is still available (`app/upkeep`). */
    status: text({ enum: ["active", "sold", "out_of_stock", "unconfirmed"] })
      .notNull()
      .default("active"),
    /** Since when it has been sold or out of stock, ms; null once its return has been noted. */
    soldAt: time(),
    /** Pieces that the seller still has, including the reserved ones; null means no limit ("made to order"). */
    stock: integer(),
    /** Pieces promised to payments under way and accepted offers (`countReserved`); never more than `stock`. */
    reserved: integer().notNull().default(0),
    /** The seller's own code of the product. An import finds its listing by it. */
    sku: text(),
    /** The smallest number of pieces in one order; 1 means any. Only verified wholesalers set it. */
    minQuantity: integer().notNull().default(1),
    /** Whether it has a smallest order or price steps. Only verified wholesalers set it. */
    wholesale: flag(),
    /** Whether buyers can make offers. */
    takesOffers: flag(),
    /** KES for one piece: lower offers are declined at once. Only the seller ever sees it. */
    lowestOffer: integer(),
    /** Its seller is a verified student or business (`afterVerifiedChanged`). */
    sellerVerified: flag(),
    /** Taken down by an admin, or held for a look: then `heldFor` says why. */
    suspendedAt: time(),
    /** The prohibited word or category that it was held for; null when it isn't held. */
    heldFor: text(),
    /** Deleted: hidden everywhere, but kept for the orders that contain it. */
    deletedAt: time(),
    /** Raised by each edit of what a buyer is promised: the name, condition, facts, description and photos. */
    revision: integer().notNull().default(0),
    /**
     * What it is to people once it is for sale: "new", or "back" after it was off sale. "known" while it is for sale.
     */
    news: text({ enum: ["new", "back", "known"] })
      .notNull()
      .default("new"),
    /** KES: the price that was noted last. A lower one is news. */
    newsPrice: integer().notNull().default(0),
    /** When to look next whether it is still available (`app/upkeep`). Never null while it is active. */
    checkAt: time(),
    /** When its seller was asked; null while the question doesn't arise. A later change of the listing answers it. */
    askedAt: time(),
    createdAt: time().notNull(),
    updatedAt: time().notNull(),
  },
  (t) => [
    // What can be bought now, the newest first. Any other list is in the search index.
    index("products_for_sale").on(t.createdAt, t.id).where(FOR_SALE),
    index("products_for_sale_category_newest").on(t.category, t.createdAt, t.id).where(FOR_SALE),
    // The public page of a campus, and the feed of one.
    index("products_for_sale_location").on(t.location, t.createdAt, t.id).where(FOR_SALE),
    index("products_for_sale_type").on(t.type, t.createdAt, t.id).where(FOR_SALE),
    index("products_for_sale_price").on(t.price).where(FOR_SALE),
    index("products_for_sale_category_price").on(t.category, t.price).where(FOR_SALE),
    // How many were listed lately.
    index("products_created").on(t.createdAt, t.sellerId),
    index("products_seller").on(t.sellerId, t.createdAt, t.id),
    index("products_seller_status").on(t.sellerId, t.status, t.createdAt, t.id),
    // What the job looks at, and what waits for its seller's answer.
    index("products_check")
      .on(t.checkAt)
      .where(sql`check_at IS NOT NULL`),
    index("products_asked")
      .on(t.sellerId)
      .where(sql`asked_at IS NOT NULL`),
    uniqueIndex("products_seller_sku")
      .on(t.sellerId, t.sku)
      .where(sql`sku IS NOT NULL AND deleted_at IS NULL`),
  ],
);

/** A lower price for larger orders: `price` for each piece from `fromQuantity` pieces on. */
export const priceSteps = sqliteTable(
  "price_steps",
  {
    productId: productId().notNull(),
    fromQuantity: integer().notNull(),
    /** KES for one piece. */
    price: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.productId, t.fromQuantity] })],
);

/** Who wants to be told when a product can be bought again. */
export const stockWaits = sqliteTable(
  "stock_waits",
  {
    productId: productId().notNull(),
    userId: userId().notNull(),
    createdAt: time().notNull(),
    /** Since when it can be bought again, ms; null while it can't. */
    freeAt: time(),
  },
  (t) => [
    primaryKey({ columns: [t.productId, t.userId] }),
    index("stock_waits_user").on(t.userId, t.createdAt),
    // Who must be told now. Nearly always empty.
    index("stock_waits_free")
      .on(t.freeAt)
      .where(sql`free_at IS NOT NULL`),
  ],
);

/** A buyer's offer for one piece of a product. Its card stands in their conversation. */
export const offers = sqliteTable(
  "offers",
  {
    id: id(),
    productId: productId().notNull(),
    buyerId: userId().notNull(),
    sellerId: userId().notNull(),
    /** KES: what the buyer offered. */
    amount: integer().notNull(),
    /** KES: what the seller asked for instead; null until then. */
    counterAmount: integer(),
    state: text({ enum: OFFER_STATES }).notNull().default("open"),
    /** KES: what the listing cost when it was made. Another price ends it while it is open. */
    listingPrice: integer().notNull(),
    /** `products.revision` as its buyer read it. Another one ends it. */
    revision: integer().notNull(),
    /** Why it `ended`; null in every other state. */
    endReason: text({ enum: OFFER_END_REASONS }),
    /** When the next answer, or the payment, is due. */
    expiresAt: time().notNull(),
    /** The clock, or what happened to its listing or its people, changed its state, and nobody has been told yet. */
    noticeDue: flag(),
    createdAt: time().notNull(),
    updatedAt: time().notNull(),
  },
  (t) => [
    // One offer of a buyer for a product at a time.
    uniqueIndex("offers_active").on(t.productId, t.buyerId).where(stateIs("state", OFFER.isActive)),
    index("offers_due").on(t.expiresAt).where(stateIs("state", OFFER.isActive)),
    index("offers_notice_due")
      .on(t.updatedAt)
      .where(sql`notice_due = 1`),
    index("offers_buyer").on(t.buyerId, t.state),
    index("offers_product").on(t.productId, t.state),
    index("offers_to_answer").on(t.sellerId).where(stateIs("state", OFFER.awaitsSeller)),
  ],
);

/** Uploaded files. The daily job deletes those that are attached to nothing. */
export const uploads = sqliteTable(
  "uploads",
  {
    /** A document's key, or the prefix of a photo's keys. */
    key: id(),
    ownerId: userId().notNull(),
    bucket: text({ enum: ["media", "documents"] }).notNull(),
    /** For photos: the image as a product row describes it. */
    image: text({ mode: "json" }).$type<ProductImage>(),
    attachedAt: time(),
    /** The job is deleting it, so it can no longer be attached. */
    removingAt: time(),
    /** The case because of which our team took down what shows the photo: its files belong into the private bucket. */
    removalCaseId: text(),
    /** Since when its files aren't in the public bucket. */
    movedAt: time(),
    createdAt: time().notNull(),
  },
  (t) => [
    index("uploads_orphans").on(t.attachedAt, t.createdAt),
    index("uploads_removing")
      .on(t.removingAt)
      .where(sql`removing_at IS NOT NULL`),
    index("uploads_removed")
      .on(t.removalCaseId)
      .where(sql`removal_case_id IS NOT NULL`),
    index("uploads_misplaced")
      .on(t.key)
      .where(sql`(removal_case_id IS NULL) <> (moved_at IS NULL)`),
  ],
);

// ------------------------------------------------------------------- shops

export const shops = sqliteTable(
  "shops",
  {
    /** The owner's user id. */
    id: userId().primaryKey(),
    shopName: text().notNull(),
    description: text(),
    bannerUrl: text(),
    /** The path of the logo's smallest variant. */
    logoUrl: text(),
    offersDelivery: flag(),
    /** JSON where it could be parsed, else text. */
    businessHours: text(),
    policies: text(),
    preferredContact: text(),
    featuredUntil: time(),
    /** On holiday until then: nobody can order. Null or past: not on holiday. */
    awayUntil: time(),
    /** The Bayesian average of its reviews in thousandths of a star. `afterReviewsChanged` writes it. */
    ratingScore: integer().notNull().default(4000),
    createdAt: time().notNull(),
    updatedAt: time().notNull(),
  },
  (t) => [
    index("shops_newest").on(t.createdAt, t.id),
    index("shops_featured").on(t.featuredUntil),
    index("shops_rated").on(t.ratingScore, t.createdAt, t.id),
  ],
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

/**
 * What the buyer and the seller of a finished order item say about each other. Nobody sees a review before it is
 * published: when both have written, or after `publishAt`.
 */
export const reviews = sqliteTable(
  "reviews",
  {
    id: id(),
    orderItemId: orderItemId().notNull(),
    authorId: userId().notNull(),
    subjectId: userId().notNull(),
    /** What the reviewed person was in the deal. */
    subjectRole: text({ enum: REVIEW_ROLES }).notNull(),
    /** 1 to 5 stars. */
    rating: integer().notNull(),
    tags: text({ mode: "json" }).$type<ReviewTag[]>().notNull().default([]),
    /** Empty when they wrote nothing. */
    text: text().notNull().default(""),
    /** Only buyers add photos. */
    photos: text({ mode: "json" }).$type<ProductImage[]>().notNull().default([]),
    createdAt: time().notNull(),
    editedAt: time(),
    /** From when it is published alone. */
    publishAt: time().notNull(),
    publishedAt: time(),
    /** Removed by an admin. */
    removedAt: time(),
    /** The one answer of the reviewed person. */
    reply: text(),
    repliedAt: time(),
    /** The reply was removed by an admin. The review stays. */
    replyRemovedAt: time(),
  },
  (t) => [
    uniqueIndex("reviews_author").on(t.orderItemId, t.authorId),
    index("reviews_due")
      .on(t.publishAt)
      .where(sql`published_at IS NULL`),
    index("reviews_subject")
      .on(t.subjectId, t.subjectRole, t.publishedAt, t.id)
      .where(sql`published_at IS NOT NULL AND removed_at IS NULL`),
    index("reviews_written").on(t.authorId, t.createdAt),
    index("reviews_photos")
      .on(t.authorId)
      .where(sql`photos <> '[]'`),
  ],
);

/**
 * How many reviews that count a person has with each number of stars. `reviews/review-effects.server.ts` writes it. A
 * query over the reviews takes 84 ms for a seller with 10,000, and 26 ms for a feed whose 24 sellers have 200 each.
 */
export const userRatings = sqliteTable(
  "user_ratings",
  {
    userId: userId().notNull(),
    /** What the person was in the deals. */
    role: text({ enum: REVIEW_ROLES }).notNull(),
    stars1: integer().notNull().default(0),
    stars2: integer().notNull().default(0),
    stars3: integer().notNull().default(0),
    stars4: integer().notNull().default(0),
    stars5: integer().notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.userId, t.role] })],
);

/**
 * The buyers whose paid items with a seller have ended, and how: each way counts once, however often it happened.
 * Accounts that paid from one number are one buyer. Who paid from the seller's own number is none
 * (`orders/sale-effects.server.ts`). What a buyer cancelled isn't counted, and neither is what was free.
 */
export const sellerBuyers = sqliteTable(
  "seller_buyers",
  {
    sellerId: userId().notNull(),
    buyerId: userId().notNull(),
    /** The number that paid the first of these items; null once the buyer's account is deleted. */
    phone: text(),
    handedOver: flag(),
    /** Refunded after a problem. */
    refunded: flag(),
    /** Cancelled by the seller, or not shipped in time. */
    cancelled: flag(),
  },
  (t) => [
    primaryKey({ columns: [t.sellerId, t.buyerId] }),
    uniqueIndex("seller_buyers_phone")
      .on(t.sellerId, t.phone)
      .where(sql`phone IS NOT NULL`),
  ],
);

export const subscriptions = sqliteTable(
  "subscriptions",
  {
    id: id(),
    userId: userId().notNull(),
    plan: text({ enum: ["weekly_featured", "biweekly_featured", "monthly_premium"] }).notNull(),
    /** KES. */
    amount: integer().notNull(),
    status: text({ enum: PLAN_STATUSES }).notNull().default("pending_payment"),
    startsAt: time(),
    endsAt: time(),
    createdAt: time().notNull(),
    updatedAt: time().notNull(),
  },
  (t) => [
    index("subscriptions_user").on(t.userId, t.createdAt),
    index("subscriptions_ending").on(t.status, t.endsAt),
    // Only one at a time waits for its payment, however often Subscribe is pressed.
    uniqueIndex("subscriptions_waiting").on(t.userId, t.plan).where(stateIs("status", PLAN.awaitsPayment)),
  ],
);

// ------------------------------------------------------------------ basket

export const cartItems = sqliteTable(
  "cart_items",
  {
    id: id(),
    userId: userId().notNull(),
    productId: productId().notNull(),
    /** 1 to 99; up to 9,999 of a wholesale listing. */
    quantity: integer().notNull().default(1),
    /** KES, the price when it was added. A change since then is shown before checkout. */
    priceWhenAdded: integer().notNull().default(0),
    /**
     * The price steps when it was added. Another quantity at these steps needs no confirmation. Null: there were none.
     */
    stepsWhenAdded: text({ mode: "json" }).$type<{ fromQuantity: number; price: number }[]>(),
    /** `products.revision` as the buyer has seen it. A later one is accepted before checkout. */
    revisionWhenAdded: integer().notNull().default(0),
    /** The last request that added pieces. If its answer was lost and it is sent again, it adds nothing. */
    lastAdditionKey: text(),
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
    productId: productId().notNull(),
    /** KES: its lowest price of which they know: what it cost when it was wished, or what they were told since. */
    price: integer().notNull().default(0),
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
    copyId: integer().references((): AnySQLiteColumn => copies.id),
    quantity: integer().notNull(),
    /** KES. */
    pricePerUnit: integer().notNull(),
    subtotal: integer().notNull(),
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
    offerId: text().references((): AnySQLiteColumn => offers.id),
    /** When its seller put its pieces back in stock after it was cancelled or refunded. */
    restockedAt: time(),
    /**
     * It was paid from the number that its seller is paid on, so it is no sale to somebody else (`notePaidBySeller`).
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
    // The sweep asks whether an order shows a photo.
    index("order_items_photo")
      .on(sql`product_image ->> 'key'`)
      .where(sql`product_image IS NOT NULL`),
    index("order_items_offer")
      .on(t.offerId)
      .where(sql`offer_id IS NOT NULL`),
  ],
);

// ------------------------------------------------------------------- deals

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

/** A problem that a buyer reported with an item. There is at most one for each item. */
export const problems = sqliteTable(
  "problems",
  {
    orderItemId: orderItemId().primaryKey(),
    kind: text({ enum: PROBLEM_KINDS }).notNull(),
    description: text().notNull(),
    /** Keys in the private bucket. */
    photos: text({ mode: "json" }).$type<string[]>().notNull().default([]),
    openedAt: time().notNull(),
    /** KES that the seller offers to refund; null until then. */
    offeredRefund: integer(),
    /** KES that the buyer got back, 0 to the item's subtotal; null until it is settled. */
    refunded: integer(),
    settledAt: time(),
  },
  (t) => [index("problems_opened").on(t.openedAt)],
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
      .references(() => adminProposals.id),
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

// ---------------------------------------------------------------- payments

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
    /** When the reconciliation job asks next; null means never. */
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
      enum: ["mpesa_collection", "mpesa_payout_float", "escrow", "seller_payable", "refunds_due", "plans"],
    }).notNull(),
    kind: text({ enum: ["charge", "hold", "release", "payout", "refund_due", "refund"] }).notNull(),
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

// --------------------------------------------------------------- messaging

export const messages = sqliteTable(
  "messages",
  {
    id: id(),
    /** Both user ids in order, joined by a colon. It identifies the conversation. */
    thread: text().notNull(),
    senderId: userId().notNull(),
    recipientId: userId().notNull(),
    productId: productId(),
    orderId: orderId(),
    orderItemId: orderItemId(),
    message: text().notNull(),
    images: text({ mode: "json" }).$type<ProductImage[]>().notNull().default([]),
    senderName: text().notNull(),
    recipientName: text().notNull(),
    read: flag(),
    /**
     * "agreement": with this message the buyer agreed to the handover. "offer": a step of `offerId`. "meeting": a step
     * of the meeting of `orderItemId`.
     */
    kind: text({ enum: ["text", "agreement", "offer", "meeting"] })
      .notNull()
      .default("text"),
    /** The offer whose card it shows. */
    offerId: text().references((): AnySQLiteColumn => offers.id),
    /** Chosen by the client, so that a retry never sends twice. */
    idempotencyKey: text(),
    /** Removed by an admin. */
    removedAt: time(),
    createdAt: time().notNull(),
  },
  (t) => [
    index("messages_thread").on(t.thread, t.createdAt, t.id),
    index("messages_unread")
      .on(t.recipientId, t.senderId)
      .where(sql`read = 0`),
    index("messages_sender").on(t.senderId, t.createdAt),
    index("messages_item")
      .on(t.orderItemId, t.createdAt)
      .where(sql`order_item_id IS NOT NULL`),
    uniqueIndex("messages_idempotency").on(t.senderId, t.idempotencyKey),
    index("messages_photos")
      .on(t.senderId)
      .where(sql`images <> '[]'`),
  ],
);

/**
 * The inbox: one row for each side of a conversation, so that listing conversations reads one message of each. Whatever
 * writes a message keeps it (`messaging/sending/message-effects.server.ts`).
 */
export const conversations = sqliteTable(
  "conversations",
  {
    userId: userId().notNull(),
    otherId: userId().notNull(),
    /** No foreign key, because SQLite would read all conversations for each message that is deleted. */
    lastMessageId: text().notNull(),
    lastAt: time().notNull(),
    /** The product, order or item of the latest message that had one. */
    productId: productId(),
    orderId: orderId(),
    orderItemId: orderItemId(),
    /** When the other person began the conversation; null when `userId` did. */
    askedAt: time(),
    /** How long `userId` took to answer that first message, ms; null until they do. */
    replyMs: integer(),
    /** When to look whether `userId` has read what they must be told of outside the app; null when nothing waits. */
    noticeDueAt: time(),
    /** When the first of the messages that wait for it was written. Earlier ones were read, or told of. */
    noticeSince: time(),
    /** When they were last told. */
    noticedAt: time(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.otherId] }),
    index("conversations_inbox").on(t.userId, t.lastAt, t.otherId),
    index("conversations_asked")
      .on(t.userId, t.askedAt)
      .where(sql`asked_at IS NOT NULL`),
    index("conversations_notices")
      .on(t.noticeDueAt)
      .where(sql`notice_due_at IS NOT NULL`),
  ],
);

export const blocks = sqliteTable(
  "blocks",
  { userId: userId().notNull(), blockedId: userId().notNull(), createdAt: time().notNull() },
  (t) => [
    primaryKey({ columns: [t.userId, t.blockedId] }),
    // Whether somebody has blocked a deleted account.
    index("blocks_blocked").on(t.blockedId),
  ],
);

// ------------------------------------------------------------------ upkeep

/**
 * How often a listing was opened and written about on one day. Counted in memory and written in lots. Kept for 90 days.
 */
export const listingDays = sqliteTable(
  "listing_days",
  {
    /** Days since 1970 in East Africa Time. */
    day: integer().notNull(),
    sellerId: userId().notNull(),
    productId: productId().notNull(),
    /** Visits of others to its pages. */
    views: integer().notNull(),
    /** Messages to its seller about it. */
    messages: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.day, t.sellerId, t.productId] })],
);

// -------------------------------------------------------------- moderation

/**
 * What somebody wrote, as it was when it began to count: a listing when it was ordered, anything when it was reported
 * or held. From then on each edit adds a row (`db/copies.ts`), so that nobody can rewrite what others were shown. Only
 * the erasure of a deleted account empties a row. The newest row has the highest id.
 */
export const copies = sqliteTable(
  "copies",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    kind: text({ enum: COPY_KINDS }).notNull(),
    /** The id of the listing, review, person or message; of the report for a talk. */
    subjectId: text().notNull(),
    /** Who wrote it. */
    ownerId: userId().notNull(),
    /** JSON: what its `CopySource` says (`db/copies.ts`). `{}` when it is erased. */
    content: text().notNull(),
    /** The keys of its photos. */
    photos: text({ mode: "json" }).$type<string[]>().notNull().default([]),
    createdAt: time().notNull(),
  },
  (t) => [
    index("copies_subject").on(t.kind, t.subjectId, t.id),
    index("copies_owner").on(t.ownerId),
    index("copies_photos")
      .on(t.ownerId, t.photos)
      .where(sql`photos <> '[]'`),
  ],
);

/** Something that our team must look at: reported by people, or a listing that was held. */
export const moderationCases = sqliteTable(
  "moderation_cases",
  {
    id: id(),
    subject: text({ enum: CASE_SUBJECTS }).notNull(),
    /** The id of the listing, review, person or message. */
    subjectId: text().notNull(),
    /** The person concerned: the seller, author or sender. */
    reportedId: userId().notNull(),
    /** The subject as it was when the case was opened. Null where nothing was copied. */
    copyId: integer().references((): AnySQLiteColumn => copies.id),
    state: text({ enum: CASE_STATES }).notNull().default("open"),
    /** Higher comes first in the queue (moderation/cases/case-rules.ts). */
    harm: integer().notNull().default(0),
    /** How many people reported it. 0: a held listing. */
    reports: integer().notNull().default(0),
    decision: text({ enum: CASE_DECISIONS }),
    /** What the person concerned reads about the decision. */
    statement: text(),
    decidedBy: userId(),
    decidedAt: time(),
    /** Unguessable. With it the person concerned can appeal, even from a suspended account. */
    appealToken: text().notNull(),
    appeal: text(),
    appealedAt: time(),
    /** Whether the appeal changed the decision; null until it is answered. */
    appealGranted: integer({ mode: "boolean" }),
    appealAnswer: text(),
    appealDecidedBy: userId(),
    closedAt: time(),
    createdAt: time().notNull(),
    updatedAt: time().notNull(),
  },
  (t) => [
    // All reports about the same thing join one open case.
    uniqueIndex("moderation_cases_open").on(t.subject, t.subjectId).where(stateIs("state", CASE.isOpen)),
    index("moderation_cases_queue").on(t.harm, t.createdAt, t.id).where(stateIs("state", CASE.awaitsTeam)),
    index("moderation_cases_done").on(t.updatedAt, t.id).where(stateIs("state", CASE.isDone)),
    index("moderation_cases_reported").on(t.reportedId, t.createdAt),
    uniqueIndex("moderation_cases_token").on(t.appealToken),
  ],
);

/** One person's report. */
export const reports = sqliteTable(
  "reports",
  {
    id: id(),
    caseId: text()
      .notNull()
      .references(() => moderationCases.id),
    reporterId: userId().notNull(),
    /** The subject as it was when they reported it. Null where nothing was copied. */
    copyId: integer().references((): AnySQLiteColumn => copies.id),
    reason: text({ enum: REPORT_REASONS }).notNull(),
    /** Empty when they wrote nothing. */
    text: text().notNull().default(""),
    /**
     * Since when it doesn't stop the money of the reporter's orders any more: they took it back, or our team decided.
     */
    liftedAt: time(),
    createdAt: time().notNull(),
  },
  (t) => [
    uniqueIndex("reports_reporter").on(t.caseId, t.reporterId),
    index("reports_written").on(t.reporterId, t.createdAt),
  ],
);

/** Words and categories whose new listings are held for a look, and phrases that are fine. Admins edit them. */
export const prohibitedTerms = sqliteTable(
  "prohibited_terms",
  {
    id: id(),
    /** `allowed`: a phrase with a prohibited word that is fine ("glue gun"). */
    kind: text({ enum: ["word", "category", "allowed"] }).notNull(),
    /** Lower case words, or a category's id. */
    term: text().notNull(),
    createdAt: time().notNull(),
  },
  (t) => [uniqueIndex("prohibited_terms_term").on(t.kind, t.term)],
);

// -------------------------------------------------------------------- types
// The kept table of types is in the code (app/catalogue/types). These hold what admins changed.

/** A type that an admin added. */
export const itemTypes = sqliteTable("item_types", {
  id: id(),
  name: text().notNull(),
  plural: text().notNull(),
  /** A category's id. */
  category: text().notNull(),
  createdAt: time().notNull(),
});

/** What an admin said about a word of a type. It counts more than the kept table. */
export const itemTypeWords = sqliteTable(
  "item_type_words",
  {
    typeId: text().notNull(),
    /** Lower case. */
    word: text().notNull(),
    /** `name`: people call the type so. `sign`: a listing with it is of the type. `none`: it doesn't mean the type. */
    use: text({ enum: ["name", "sign", "none"] }).notNull(),
    createdAt: time().notNull(),
  },
  (t) => [primaryKey({ columns: [t.typeId, t.word] })],
);

/** What people searched for and didn't find. It says nothing about who searched. */
export const missedSearches = sqliteTable(
  "missed_searches",
  {
    /** Lower case words. */
    words: text().primaryKey().notNull(),
    count: integer().notNull(),
    lastAt: time().notNull(),
  },
  (t) => [index("missed_searches_count").on(t.count)],
);

/**
 * What somebody saved: words and filters. All who saved the same share it, so that a listing is compared with it once.
 */
export const savedQueries = sqliteTable(
  "saved_queries",
  {
    id: integer().primaryKey(),
    /** The query of the search's address, which names it: "q=hp laptop&max=30000". */
    address: text().notNull(),
    /** KES: the highest price that it finds, or one that nothing costs. */
    maxPrice: integer().notNull(),
    createdAt: time().notNull(),
  },
  (t) => [uniqueIndex("saved_queries_address").on(t.address)],
);

/** A search that somebody saved. */
export const savedSearches = sqliteTable(
  "saved_searches",
  {
    id: id(),
    userId: userId().notNull(),
    /** No foreign key: a query goes just before the last search that needs it. */
    queryId: integer().notNull(),
    /** When its owner is told of what it finds. */
    frequency: text({ enum: ["at_once", "daily", "never"] })
      .notNull()
      .default("at_once"),
    /** How many listings it has found since its owner last opened it. */
    newCount: integer().notNull().default(0),
    createdAt: time().notNull(),
  },
  (t) => [
    uniqueIndex("saved_searches_user_query").on(t.userId, t.queryId),
    index("saved_searches_query").on(t.queryId),
  ],
);

/** Which listings somebody's saved searches and followed shops have brought them, so that nobody is told twice. */
export const foundListings = sqliteTable(
  "found_listings",
  {
    userId: userId().notNull(),
    productId: productId().notNull(),
    /** What brought it first. */
    reason: text({ enum: ["search", "shop"] }).notNull(),
    /** Those of their saved searches that find it, by id. */
    searches: text({ mode: "json" }).$type<string[]>().notNull().default([]),
    /** KES: its lowest price of which they know. */
    price: integer().notNull(),
    /** How often they have been told of it, or will be with the next daily notification. */
    told: integer().notNull(),
    /** Since when it waits for the daily notification, ms; null when it doesn't. */
    waitsSince: time(),
    createdAt: time().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.productId] }),
    index("found_listings_waits")
      .on(t.waitsSince, t.userId)
      .where(sql`waits_since IS NOT NULL`),
  ],
);

/**
 * A listing that has appeared, come back or become cheaper, and of which nobody has been told yet.
 * `afterListingsChanged` writes it.
 */
export const listingNews = sqliteTable("listing_news", {
  id: integer().primaryKey(),
  productId: productId().notNull(),
  /** `back`: it was sold out. */
  kind: text({ enum: ["new", "back", "cheaper"] }).notNull(),
  at: time().notNull(),
});

// ------------------------------------------------------- admin and plumbing

/** Who did what, when. Append-only. */
export const auditLog = sqliteTable(
  "audit_log",
  {
    id: id(),
    /** Null for the operator, who acts by a command. */
    actorId: userId(),
    action: text().notNull(),
    subject: text().notNull(),
    detail: text(),
    createdAt: time().notNull(),
  },
  (t) => [index("audit_log_created").on(t.createdAt, t.id), index("audit_log_subject").on(t.subject, t.createdAt)],
);

/** An act of an admin that moves more than one admin may move alone, until a second one confirms or declines it. */
export const adminProposals = sqliteTable(
  "admin_proposals",
  {
    id: id(),
    /** As in the audit log (team/act-rules.ts). */
    act: text().notNull(),
    /** "kind:id", as in the audit log. */
    subject: text().notNull(),
    adminId: userId().notNull(),
    /** JSON: what the act needs besides its subject. */
    input: text().notNull(),
    reasons: text().notNull(),
    /** KES that it would move. */
    amount: integer().notNull(),
    state: text({ enum: ["open", "confirmed", "declined", "void"] })
      .notNull()
      .default("open"),
    createdAt: time().notNull(),
    decidedBy: userId(),
    decidedAt: time(),
  },
  (t) => [
    // A new proposal about the same thing takes the place of the open one.
    uniqueIndex("admin_proposals_open")
      .on(t.subject)
      .where(sql`state = 'open'`),
  ],
);

/** Money that one admin alone has moved or begun to move. Their later acts about the same people count with it. */
export const adminMoves = sqliteTable(
  "admin_moves",
  {
    adminId: userId().notNull(),
    /** The id of the item, payout, refund or payment. */
    moneyId: text().notNull(),
    act: text().notNull(),
    buyerId: userId(),
    sellerId: userId(),
    /** KES. */
    amount: integer().notNull(),
    createdAt: time().notNull(),
  },
  (t) => [primaryKey({ columns: [t.adminId, t.moneyId] })],
);

/** Effects outside the database (emails), written in the batch of their cause and sent after it. */
export const outbox = sqliteTable(
  "outbox",
  {
    id: id(),
    topic: text({ enum: ["mail", "push"] }).notNull(),
    /** The place of its traffic in `TRAFFIC` (outbox.ts): 0 leaves first. */
    priority: integer().notNull().default(3),
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
    /** Why the last try failed (`workers/mail/retry-rules.ts`). */
    fault: text({ enum: ["email", "away", "refused"] }),
    createdAt: time().notNull(),
  },
  (t) => [
    uniqueIndex("outbox_dedupe").on(t.dedupeKey),
    index("outbox_waiting")
      .on(t.priority, t.availableAt)
      .where(sql`done_at IS NULL AND dead_at IS NULL`),
    index("outbox_given_up")
      .on(t.deadAt)
      .where(sql`dead_at IS NOT NULL`),
  ],
);

/** What somebody was told, as the notification centre shows it. Kept for 90 days. */
export const notifications = sqliteTable(
  "notifications",
  {
    /** Counts up, so that the newest is first without a sort. */
    id: integer().primaryKey(),
    userId: userId().notNull(),
    /** A `Kind` of app/notifications/kinds.ts. */
    kind: text().notNull(),
    data: text({ mode: "json" }).$type<object>().notNull(),
    /** What it is about, as "type:id"; null for nothing that has a place. */
    thing: text(),
    /** Names the event and the reader. The same key tells once; in the outbox it has the same name. */
    key: text().notNull(),
    /** How many, where a row counts: "3 people saved your kettle". */
    count: integer().notNull().default(1),
    createdAt: time().notNull(),
    readAt: time(),
  },
  (t) => [
    uniqueIndex("notifications_key").on(t.key),
    index("notifications_user").on(t.userId),
    index("notifications_unread")
      .on(t.userId, t.thing)
      .where(sql`read_at IS NULL`),
  ],
);

/** News of listings that waits to be told as one message, by person and kind, and what was told lately. */
export const gatheredNews = sqliteTable(
  "gathered_news",
  {
    userId: userId().notNull(),
    /** A `Kind` of app/notifications/kinds.ts. */
    kind: text().notNull(),
    /** How many listings wait. */
    count: integer().notNull(),
    /** The first of them by their ids (`WaitingListing` in app/notifications/gather.server.ts). */
    listings: text({ mode: "json" })
      .$type<Record<string, { productId: string; productName: string; at: number; since?: number }>>()
      .notNull(),
    /** Since when the first waits. */
    firstAt: time().notNull(),
    /** When they are told; null while none waits. */
    dueAt: time(),
    /** When the last message left, and of which listings, with the time of each. */
    toldAt: time(),
    told: text({ mode: "json" }).$type<Record<string, number>>().notNull().default({}),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.kind] }),
    index("gathered_news_due")
      .on(t.dueAt)
      .where(sql`due_at IS NOT NULL`),
  ],
);

/** What somebody chose about notifications. Without a row everything is on, with quiet hours at night. */
export const notificationSettings = sqliteTable("notification_settings", {
  userId: userId().primaryKey(),
  /** What they turned off, or on again, by group and way. */
  choices: text({ mode: "json" }).$type<Record<string, boolean>>().notNull(),
  /** Minutes since midnight in East Africa. Both are null where they want push at any time. */
  quietFrom: integer(),
  quietUntil: integer(),
  updatedAt: time().notNull(),
});

/** Counters that hold everywhere at once. The rate-limit bindings count in each data centre by themselves. */
export const rateCounters = sqliteTable(
  "rate_counters",
  { key: id(), windowStart: time().notNull(), count: integer().notNull() },
  (t) => [index("rate_counters_window").on(t.windowStart)],
);

/** Figures that are outside their band now (`admin/operations/alarm-rules.ts`). A row is deleted when it is over. */
export const alarms = sqliteTable("alarms", {
  name: text({ enum: ALARM_NAMES }).primaryKey(),
  /** The latest figure that changed something. */
  figure: integer().notNull(),
  since: time().notNull(),
  /** Since when the figure is in its band again; null while it isn't. */
  calmSince: time(),
});

/** Since when a secret that expires is in use. Only its hash is kept. */
export const secretDates = sqliteTable("secret_dates", {
  name: text({ enum: ["security_credential"] }).primaryKey(),
  /** SHA-256 in hexadecimal. */
  hash: text().notNull(),
  since: time().notNull(),
});

/** At most one holder at a time for each scheduled job. */
export const leases = sqliteTable("leases", { name: id(), until: time().notNull() });

/** How far a job has come that goes through all there is of something, a part a run (`app/db/passes.ts`). */
export const passes = sqliteTable("passes", {
  /**
   * `digest`: all accounts, each week. `types`: all listings, after each change of the table of types. `summaries`: all
   * days.
   */
  job: text({ enum: ["digest", "types", "summaries"] }).primaryKey(),
  /**
   * Names the present pass: the week, or the hash of the table. Another one begins anew. That of the days never ends.
   */
  pass: text().notNull(),
  /** The last that it has come to: an account's id, a listing's rowid, or a day. Null once it is over. */
  after: text(),
});

/** Batches that were written lately (`commitBatch` in batch.ts). Kept for an hour, and small, so `at` has no index. */
export const writeMarks = sqliteTable("write_marks", { id: integer().primaryKey(), at: time().notNull() });
