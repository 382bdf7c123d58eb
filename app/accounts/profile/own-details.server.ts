import { eq, type SQL, sql } from "drizzle-orm";
import { build } from "#app/db/build.ts";
import type { Database } from "#app/db/client.ts";
import { profiles } from "#app/accounts/tables.server.ts";

/**
 * What forms change of somebody's profile, as one text. Whoever merges a form with the profile reads it before, and
 * saves only where it is still the same (`isAsRead`). Null without a profile.
 */
export type OwnDetails = string | null;

function ownDetails(userId: string): SQL<OwnDetails> {
  const { id, fullName, phone, campusLocation, isSeller } = profiles;
  return sql<OwnDetails>`(${build
    .select({ details: sql`json_array(${fullName}, ${phone}, ${campusLocation}, ${isSeller})` })
    .from(profiles)
    .where(eq(id, userId))})`;
}

export async function readOwnDetails(db: Database, userId: string): Promise<OwnDetails> {
  const [row] = await db.all<{ details: OwnDetails }>(sql`SELECT ${ownDetails(userId)} AS details`);
  return row?.details ?? null;
}

/** SQL: nobody has changed them since they were read. */
export function isAsRead(userId: string, details: OwnDetails): SQL {
  return sql`${ownDetails(userId)} IS ${details}`;
}
