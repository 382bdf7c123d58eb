import { PROTECTED_PERIODS } from "#app/db/states/deal.ts";
import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { flag, id, idOf, time, userId } from "#app/db/columns.ts";
import type { ProductImage } from "#app/db/product-image.ts";
import { ADMIN_ROLES } from "#app/db/states/admin.ts";
import { REVIEW_ROLES } from "#app/db/states/review.ts";
import { VERIFIED_LEVELS } from "#app/db/states/verified.ts";

/** The login account. Its profile may be missing until "Complete your profile" is sent. */
export const credentials = sqliteTable(
  "credentials",
  {
    id: id(),
    /** Lower case. */
    email: text().notNull(),
    /** Scheme, parameters, salt and hash in one text. Null for accounts that log in with an issuer only. */
    passwordHash: text(),
    /** Google's id of them. */
    googleSubject: text(),
    /** The id that their university's login has for them, behind its domain: "uonbi.ac.ke:4711". */
    issuerSubject: text(),
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
    uniqueIndex("credentials_issuer").on(t.issuerSubject),
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
  {
    id: integer().primaryKey(),
    name: text().notNull(),
    /** The last day of the semester, and the first of the next one: YYYY-MM-DD. Both, or neither. */
    closesOn: text(),
    opensOn: text(),
    /** Since when its sellers hand over at meeting points alone; null where they choose. */
    pointsOnlySince: time(),
    /** How many protected deals its people had, and since when: of this semester, or of the last year. */
    protectedDeals: integer().notNull().default(0),
    protectedPeriod: text({ enum: PROTECTED_PERIODS }).notNull().default("year"),
  },
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
    /** A guard or a camera is there. */
    isGuarded: flag(),
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

/**
 * The login of a university: an OpenID Connect issuer that vouches for the addresses at its domain. Its client secret
 * is a secret of the deployment (`secretName`).
 */
export const loginIssuers = sqliteTable("login_issuers", {
  domain: text()
    .primaryKey()
    .references(() => universityDomains.domain),
  /** Its URL, with https. */
  issuer: text().notNull(),
  clientId: text().notNull(),
  /** Where its students are; null where they may be on several campuses. */
  campusId: integer().references(() => campusLocations.id),
  isOn: flag(),
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
    /**
     * Until when their latest proof shows that they are a student (`studentUntil`). Null until they are one, and for
     * students of before 1.1.0, whom the job gives it.
     */
    studentUntil: time(),
    /** When they were told that it ends. Null again with a new proof. */
    studentToldAt: time(),
    isGoogleUser: flag(),
    onboardingCompleted: flag(),
    /** Members read the email on their seller page. */
    showsEmail: flag(),
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
    // Whose proof ends next, and who must still be told.
    index("profiles_students")
      .on(t.studentUntil)
      .where(sql`verified_level = 'student'`),
    index("profiles_students_untold")
      .on(t.studentUntil)
      .where(sql`verified_level = 'student' AND student_told_at IS NULL`),
    // Whose number a prompt is for.
    index("profiles_phone")
      .on(t.phone, t.createdAt, t.id)
      .where(sql`phone IS NOT NULL`),
  ],
);

/**
 * Addresses by which accounts are recognized, each as a keyed hash: nobody can read the address from it, but the same
 * one is recognized. What somebody did follows each address that they had.
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
    /** Since when nobody can open the file: some time after the decision. */
    fileDeletedAt: time(),
    createdAt: time().notNull(),
  },
  (t) => [
    index("verification_documents_user").on(t.userId, t.createdAt),
    index("verification_documents_status").on(t.verificationStatus, t.createdAt),
    // Whose file goes next.
    index("verification_documents_files")
      .on(t.reviewedAt)
      .where(sql`file_deleted_at IS NULL`),
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

/** How the meeting of an item went, where that is known (`accounts/trust/missed-meeting-rules.ts`). */
export const attendance = sqliteTable(
  "attendance",
  {
    orderItemId: text()
      .primaryKey()
      .references(() => idOf("order_items")),
    sellerId: userId().notNull(),
    buyerId: userId().notNull(),
    /** Who didn't come; null where both came. */
    missedBy: text({ enum: ["buyer", "seller"] }),
  },
  // A person's page counts them from these alone.
  (t) => [
    index("attendance_seller").on(t.sellerId, t.buyerId, t.missedBy),
    index("attendance_buyer").on(t.buyerId, t.sellerId, t.missedBy),
  ],
);

/**
 * By whose link somebody signed up (docs/product-rules.md, "Bring a friend").
 * `accounts/invitations/invitations.server.ts` writes it.
 */
export const invitations = sqliteTable(
  "invitations",
  {
    invitedId: userId().primaryKey(),
    /** Null once their account is deleted. */
    inviterId: userId(),
    createdAt: time().notNull(),
    /** When the first deal of the invited that counts ended by the code. From then on, each of the two has a week. */
    countedAt: time(),
    /** When each one's week began: they had something for sale. */
    invitedWeekAt: time(),
    inviterWeekAt: time(),
  },
  (t) => [index("invitations_inviter").on(t.inviterId)],
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
