import { and, desc, eq, ne, sql } from "drizzle-orm";
import { asBoolean, build } from "#app/db/build.ts";
import type { Database, Store } from "#app/db/client.ts";
import { profiles, verificationDocuments } from "#app/accounts/tables.server.ts";
import { studentStand } from "./student-end-rules.ts";
import { hasStudentAddress } from "./verified-effects.server.ts";
import type { Verification } from "./next-level-rules.ts";
import type { VerifiedLevel } from "./verified-rules.ts";

/** What decides somebody's level; null when they have no profile. */
export async function findVerification({ db, now }: Store, userId: string): Promise<Verification | null> {
  const document = build
    .select({ status: verificationDocuments.verificationStatus })
    .from(verificationDocuments)
    .where(and(eq(verificationDocuments.userId, userId), ne(verificationDocuments.verificationStatus, "replaced")))
    .orderBy(desc(verificationDocuments.createdAt))
    .limit(1);
  const [row] = await db
    .select({
      level: profiles.verifiedLevel,
      accountType: profiles.accountType,
      document: sql<Verification["document"]>`${document}`,
      until: profiles.studentUntil,
      byAddress: asBoolean(hasStudentAddress),
    })
    .from(profiles)
    .where(eq(profiles.id, userId));
  return row ? { ...row, stand: studentStand(row.until, now()) } : null;
}

/** Somebody's level; "none" when they have no profile. */
export async function findLevel(db: Database, userId: string): Promise<VerifiedLevel> {
  const [row] = await db.select({ level: profiles.verifiedLevel }).from(profiles).where(eq(profiles.id, userId));
  return row?.level ?? "none";
}
