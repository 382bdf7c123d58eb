import { sql } from "drizzle-orm";
import type { Database } from "#app/db/client.ts";
import type { Verification } from "./next-level-rules.ts";
import type { VerifiedLevel } from "./verified-rules.ts";

/** What decides somebody's level; null when they have no profile. */
export async function findVerification(db: Database, userId: string): Promise<Verification | null> {
  const [row] = await db.all<Verification>(
    sql`SELECT verified_level AS level, account_type AS accountType,
        (SELECT verification_status FROM verification_documents d WHERE d.user_id = p.id AND d.verification_status <> 'replaced' ORDER BY created_at DESC LIMIT 1) AS document
      FROM profiles p WHERE p.id = ${userId}`,
  );
  return row ?? null;
}

/** Somebody's level; "none" when they have no profile. */
export async function findLevel(db: Database, userId: string): Promise<VerifiedLevel> {
  return (await findVerification(db, userId))?.level ?? "none";
}
