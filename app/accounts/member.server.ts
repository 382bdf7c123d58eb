import { eq, sql } from "drizzle-orm";
import type { Database } from "#app/db/client.ts";
import { profiles } from "#app/db/schema.ts";

/** A user as the head of their profile shows them. */
export interface Member {
  fullName: string;
  campusLocation: string | null;
  isSeller: boolean;
  isPro: boolean;
  /** Their documents were approved. */
  verified: boolean;
  /** Counted up to 1,001. */
  listings: number;
  /** Ms since 1970. */
  createdAt: number;
}

/** As `memberRow` answers it. */
type MemberRow = Omit<Member, "isSeller" | "isPro" | "verified"> & { isSeller: number; isPro: number; verified: number };

/** The query of a profile's head, for the batch of its page; no row where there is no profile. `readMember` reads the answer. */
export function memberRow(db: Database, userId: string) {
  const listings = sql`(SELECT COUNT(*) FROM (SELECT 1 FROM products WHERE seller_id = ${userId} AND deleted_at IS NULL LIMIT 1001))`;
  // Named one by one, so that plain batches and those of drizzle answer with the same row.
  const columns = {
    fullName: sql<string>`full_name`.as("fullName"),
    campusLocation: sql<string | null>`campus_location`.as("campusLocation"),
    isSeller: sql<number>`is_seller`.as("isSeller"),
    isPro: sql<number>`is_pro`.as("isPro"),
    verified: sql<number>`verification_status = 'approved'`.as("verified"),
    listings: sql<number>`${listings}`.as("listings"),
    createdAt: sql<number>`created_at`.as("createdAt"),
  };
  return db.select(columns).from(profiles).where(eq(profiles.id, userId));
}

export function readMember(rows: unknown[] | undefined): Member | null {
  const [row] = (rows ?? []) as MemberRow[];
  return row ? { ...row, isSeller: row.isSeller === 1, isPro: row.isPro === 1, verified: row.verified === 1 } : null;
}
