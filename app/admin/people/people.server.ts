import { and, desc, eq, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import { maskPhone } from "#app/accounts/profile/phone.ts";
import { readCursor } from "#app/catalogue/catalogue-rules.ts";
import { read } from "#app/db/batch.ts";
import { build, pick } from "#app/db/build.ts";
import type { Database } from "#app/db/client.ts";
import { auditLog } from "#app/team/tables.server.ts";
import { credentials, profiles } from "#app/accounts/tables.server.ts";
import { products, savedSearches } from "#app/catalogue/tables.server.ts";
import { idOfShortId } from "#app/db/short-id.ts";
import type { AdminAct } from "#app/team/act-rules.ts";
import { adminCounts, PAGE_SIZE, pageOf, readAdminCounts, toListPage } from "#app/team/admin-pages.server.ts";
import { type PeopleSearch, readPeopleSearch } from "./people-search-rules.ts";

const admins = alias(profiles, "admins");

/**
 * One page of people, newest first. `search` is the beginning of an email, a phone, or parts of a name; without it, the
 * page lists suspended accounts. Deleted accounts aren't listed. One round trip; a search by name reads every profile.
 */
export async function listPeople(db: Database, search: string, after: string | null) {
  const wanted = readPeopleSearch(search);
  const { beyond, sorted } = pageOf(credentials.createdAt, credentials.id, "newest", readCursor(after));
  const suspension = (value: SQLiteColumn, as: string) => {
    const last = build
      .select({ value })
      .from(auditLog)
      .leftJoin(admins, eq(admins.id, auditLog.actorId))
      .where(
        and(
          sql`${auditLog.subject} = 'user:' || ${credentials.id}`,
          eq(auditLog.action, "user_suspended" satisfies AdminAct),
        ),
      )
      .orderBy(desc(auditLog.createdAt))
      .limit(1);
    return sql<string | null>`CASE WHEN ${credentials.suspendedAt} IS NOT NULL THEN ${last} END`.as(as);
  };
  const { people, counts } = await read(db, {
    people: build
      .select({
        id: credentials.id,
        fullName: profiles.fullName,
        email: credentials.email,
        ...pick(profiles, "phone", "campusLocation", "accountType", "isSeller", "adminRole", "verifiedLevel"),
        createdAt: credentials.createdAt,
        suspendedAt: credentials.suspendedAt,
        listings: build.$count(products, and(eq(products.sellerId, credentials.id), isNull(products.deletedAt))),
        suspensionReason: suspension(auditLog.detail, "suspension_reason"),
        suspendedBy: suspension(admins.fullName, "suspended_by"),
      })
      .from(credentials)
      .leftJoin(profiles, eq(profiles.id, credentials.id))
      .where(and(isNull(profiles.deletedAt), wanted ? isPerson(wanted) : isNotNull(credentials.suspendedAt), beyond))
      .orderBy(...sorted)
      .limit(PAGE_SIZE + 1),
    counts: adminCounts(),
  });
  const page = toListPage(people);
  return {
    ...page,
    rows: page.rows.map((row) => ({ ...row, phone: row.phone && maskPhone(row.phone) })),
    counts: readAdminCounts(counts),
  };
}

/**
 * A person with an account, for the page of people. `listings`: how many aren't deleted. `suspensionReason`,
 * `suspendedBy`: of their last suspension. Times in ms since 1970.
 */
export type PersonRow = Awaited<ReturnType<typeof listPeople>>["rows"][number];

/**
 * SQL on `credentials` and `profiles`: this is somebody whom a search means. Every search for people asks this. A
 * search by name reads every account and profile: measured 150 ms for 100,000 people.
 */
export function isPerson({ sharedSearch, phone, email, names }: PeopleSearch): SQL {
  if (sharedSearch) {
    const owner = build
      .select({ id: savedSearches.userId })
      .from(savedSearches)
      .where(eq(savedSearches.id, idOfShortId(savedSearches, sharedSearch)));
    return sql`${credentials.id} = ${owner}`;
  }
  if (phone) return eq(profiles.phone, phone);
  const byEmail = sql`(${credentials.email} >= ${email} AND ${credentials.email} < ${`${email}~`})`;
  const byName = and(...names.map((name) => sql`instr(${profiles.searchName}, ${name}) > 0`));
  return byName ? sql`(${byEmail} OR (${byName}))` : byEmail;
}
