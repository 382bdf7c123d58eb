import type { StarCounts } from "#app/accounts/trust/rating-rules.ts";
import { readStars, starsOf } from "#app/accounts/trust/ratings.server.ts";
import { and, eq, ne, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Statement } from "#app/db/batch.ts";
import { build, hasRow, pick } from "#app/db/build.ts";
import type { Database } from "#app/db/client.ts";
import { profiles, verificationDocuments, wholesalerDetails } from "./tables.server.ts";
import { personRow } from "./table-rows.server.ts";
import type { VerifiedLevel } from "#app/accounts/trust/verified-rules.ts";

/** The data for the head of a profile. */
export interface Member {
  fullName: string;
  /** The path of their photo's smallest variant. */
  photoUrl: string | null;
  campusLocation: string | null;
  isSeller: boolean;
  isPro: boolean;
  level: VerifiedLevel;
  listings: number;
  /** What others gave them, by their role in the deal. */
  stars: { seller: StarCounts; buyer: StarCounts };
  /** Ms since 1970. */
  createdAt: number;
}

/**
 * The query for the head of a profile. It has no row if there is no profile. Run it in the batch of its page and read
 * the result with `readMember`. `listings`: how many listings they have (`listedBy`).
 */
export function memberRow(db: Database, userId: string, listings: SQL<number>) {
  const columns = {
    ...pick(profiles, "fullName", "photoUrl", "campusLocation", "isSeller", "isPro"),
    level: profiles.verifiedLevel,
    listings,
    sellerStars: sql<string | null>`${starsOf(sql`${userId}`, "seller")}`.as("seller_stars"),
    buyerStars: sql<string | null>`${starsOf(sql`${userId}`, "buyer")}`.as("buyer_stars"),
    createdAt: profiles.createdAt,
  };
  return db.select(columns).from(profiles).where(eq(profiles.id, userId));
}

export function readMember([row]: Awaited<ReturnType<typeof memberRow>>): Member | null {
  if (!row) return null;
  const { sellerStars, buyerStars, ...member } = row;
  return { ...member, stars: { seller: readStars(sellerStars), buyer: readStars(buyerStars) } };
}

/**
 * The verified name in a person's documents, SQL on `personRow`: the business or, for members only, the
 * person. A shop can have any name; this is the one that was checked.
 */
export function verifiedName(viewerId: string | null | SQLWrapper): SQL<string | null> {
  const business = build
    .select({ name: wholesalerDetails.businessName })
    .from(wholesalerDetails)
    .where(eq(wholesalerDetails.userId, personRow.id));
  return sql<string | null>`CASE WHEN ${personRow.verificationStatus} = 'approved' THEN
    COALESCE(${business}, CASE WHEN ${viewerId} IS NOT NULL THEN ${personRow.fullName} END) END`;
}

/** The verified name to show next to `shown`; null when both are the same. */
export function otherName(verified: string | null, shown: string): string | null {
  const plain = (name: string) => name.trim().toLowerCase().replaceAll(/\s+/g, " ");
  return verified !== null && plain(verified) !== "" && plain(verified) !== plain(shown) ? verified : null;
}

/** SQL: this person is a wholesaler whose business document was approved. Only they sell with wholesale terms. */
export function isVerifiedWholesaler(userId: string): SQL {
  const isWholesaler = and(eq(profiles.accountType, "wholesaler"), eq(profiles.verificationStatus, "approved"));
  return hasRow(profiles, and(eq(profiles.id, userId), isWholesaler));
}

/**
 * SQL: a verified student whose name would be a new one. Wholesalers are verified by their business name, which doesn't
 * change.
 */
export function isVerifiedByOtherName(userId: string, fullName: string): SQL {
  return hasRow(profiles, verifiedByOtherName(userId, fullName));
}

/** SQL: a document of this person waits for our team. */
export function hasPendingDocument(userId: string): SQL {
  const { userId: owner, verificationStatus } = verificationDocuments;
  return hasRow(verificationDocuments, and(eq(owner, userId), eq(verificationStatus, "pending")));
}

function verifiedByOtherName(userId: string, fullName: string): SQL | undefined {
  return and(
    eq(profiles.id, userId),
    eq(profiles.verificationStatus, "approved"),
    ne(profiles.accountType, "wholesaler"),
    sql`lower(trim(${profiles.fullName})) <> lower(${fullName.trim()})`,
  );
}

/**
 * Puts a verified student's documents and profile under review again for a new name: before the name is written. A
 * document whose file is deleted shows no name any more, so a new one must be sent.
 */
export function reviewNewName(userId: string, fullName: string): Statement[] {
  const { userId: owner, verificationStatus, fileDeletedAt } = verificationDocuments;
  return [
    build
      .update(verificationDocuments)
      .set({
        verificationStatus: sql`CASE WHEN ${fileDeletedAt} IS NULL THEN 'pending' ELSE 'replaced' END`,
        reviewReason: null,
      })
      .where(and(eq(owner, userId), eq(verificationStatus, "approved"), isVerifiedByOtherName(userId, fullName))),
    build.update(profiles).set({ verificationStatus: "pending" }).where(verifiedByOtherName(userId, fullName)),
  ];
}
