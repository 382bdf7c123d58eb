import type { StarCounts } from "./rating-rules.ts";
import { readStars, starsOf } from "./ratings.server.ts";
import { eq, type SQL, sql } from "drizzle-orm";
import type { Database } from "#app/db/client.ts";
import { profiles } from "#app/db/schema.ts";
import type { VerifiedLevel } from "./verified-rules.ts";

/** The data for the head of a profile. */
export interface Member {
  fullName: string;
  campusLocation: string | null;
  isSeller: boolean;
  isPro: boolean;
  level: VerifiedLevel;
  /** Counted up to 1,001. */
  listings: number;
  /** What others gave them, by their role in the deal. */
  stars: { seller: StarCounts; buyer: StarCounts };
  /** Ms since 1970. */
  createdAt: number;
}

/** A row of `memberRow`. */
type MemberRow = Omit<Member, "isSeller" | "isPro" | "stars"> & {
  isSeller: number;
  isPro: number;
  sellerStars: string | null;
  buyerStars: string | null;
};

/**
 * The query for the head of a profile. It has no row if there is no profile. Run it in the batch of its page and read
 * the result with `readMember`.
 */
export function memberRow(db: Database, userId: string) {
  const listings = sql`(SELECT COUNT(*) FROM (SELECT 1 FROM products WHERE seller_id = ${userId} AND deleted_at IS NULL LIMIT 1001))`;
  const columns = {
    fullName: sql<string>`full_name`.as("fullName"),
    campusLocation: sql<string | null>`campus_location`.as("campusLocation"),
    isSeller: sql<number>`is_seller`.as("isSeller"),
    isPro: sql<number>`is_pro`.as("isPro"),
    level: sql<VerifiedLevel>`verified_level`.as("level"),
    listings: sql<number>`${listings}`.as("listings"),
    sellerStars: sql<string | null>`${starsOf(sql`${userId}`, "seller")}`.as("sellerStars"),
    buyerStars: sql<string | null>`${starsOf(sql`${userId}`, "buyer")}`.as("buyerStars"),
    createdAt: sql<number>`created_at`.as("createdAt"),
  };
  return db.select(columns).from(profiles).where(eq(profiles.id, userId));
}

export function readMember([row]: readonly MemberRow[]): Member | null {
  if (!row) return null;
  const { sellerStars, buyerStars, ...member } = row;
  return {
    ...member,
    isSeller: row.isSeller === 1,
    isPro: row.isPro === 1,
    stars: { seller: readStars(sellerStars), buyer: readStars(buyerStars) },
  };
}

/**
 * The verified name in a person's documents, for a query with the profile row `p`: the business or, for members only,
 * the person. A shop can have any name; this is the one that was checked.
 */
export function verifiedName(viewerId: string | null): SQL {
  return sql`CASE WHEN p.verification_status = 'approved' THEN
    COALESCE((SELECT business_name FROM wholesaler_details WHERE user_id = p.id), CASE WHEN ${viewerId} IS NOT NULL THEN p.full_name END) END`;
}

/** The verified name to show next to `shown`; null when both are the same. */
export function otherName(verified: string | null, shown: string): string | null {
  const plain = (name: string) => name.trim().toLowerCase().replaceAll(/\s+/g, " ");
  return verified !== null && plain(verified) !== "" && plain(verified) !== plain(shown) ? verified : null;
}

/** SQL: this person is a wholesaler whose business document was approved. Only they sell with wholesale terms. */
export function isVerifiedWholesaler(userId: string): SQL {
  return sql`EXISTS (SELECT 1 FROM profiles w WHERE w.id = ${userId} AND w.account_type = 'wholesaler' AND w.verification_status = 'approved')`;
}

/**
 * Two statements that put a verified student's documents and profile under review again if `fullName` is a new name.
 * Run them before the name is written. Wholesalers are verified by their business name, which doesn't change.
 */
export function reviewNewName(userId: string, fullName: string): SQL[] {
  const renamed = sql`EXISTS (SELECT 1 FROM profiles WHERE id = ${userId} AND verification_status = 'approved' AND account_type <> 'wholesaler'
    AND lower(trim(full_name)) <> lower(${fullName.trim()}))`;
  return [
    sql`UPDATE verification_documents SET verification_status = 'pending', review_reason = NULL
      WHERE user_id = ${userId} AND verification_status = 'approved' AND ${renamed}`,
    sql`UPDATE profiles SET verification_status = 'pending' WHERE id = ${userId} AND ${renamed}`,
  ];
}
