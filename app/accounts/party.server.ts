import { eq, isNotNull, type SQL, sql } from "drizzle-orm";
import { build } from "#app/db/build.ts";
import { credentials, profiles } from "./tables.server.ts";
import type { Party } from "#app/notifications/recipient-rules.ts";

/** SQL: a person as the JSON of a `Party`. `userId` is the SQL of a column. Read it with `readParty`. */
export function partyJson(userId: SQL): SQL {
  const party = sql`json_object('id', ${credentials.id}, 'email', ${credentials.email},
    'name', COALESCE(${profiles.fullName}, ''), 'isClosed', ${isNotNull(credentials.suspendedAt)},
    'isDeleted', ${isNotNull(profiles.deletedAt)})`;
  return sql`${build
    .select({ party })
    .from(credentials)
    .leftJoin(profiles, eq(profiles.id, credentials.id))
    .where(eq(credentials.id, userId))}`;
}

export function readParty(json: string): Party {
  const row = JSON.parse(json) as Omit<Party, "isClosed" | "isDeleted"> & { isClosed: number; isDeleted: number };
  return { ...row, isClosed: row.isClosed === 1, isDeleted: row.isDeleted === 1 };
}
