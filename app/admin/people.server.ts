import { type SQL, sql } from "drizzle-orm";
import type { VerifiedLevel } from "#app/accounts/verified-rules.ts";
import { maskPhone, readPhone } from "#app/accounts/phone.ts";
import { readCursor } from "#app/catalogue/catalogue-rules.ts";
import { runBatch } from "#app/db/batch.ts";
import type { Database } from "#app/db/client.ts";
import {
  adminCounts,
  type AdminCounts,
  type ListPage,
  pageClause,
  readAdminCounts,
  toListPage,
} from "./admin-pages.server.ts";
import { type PeopleSearch, readPeopleSearch } from "./admin-rules.ts";

/** A person with an account, for the page of people. */
export interface PersonRow {
  id: string;
  fullName: string | null;
  email: string;
  /** Masked. */
  phone: string | null;
  campusLocation: string | null;
  accountType: "student" | "wholesaler" | null;
  isSeller: number;
  isAdmin: number;
  verifiedLevel: VerifiedLevel | null;
  /** How many of their listings aren't deleted. */
  listings: number;
  /** Ms since 1970. */
  createdAt: number;
  suspendedAt: number | null;
  /** The reason of their last suspension, and the admin who suspended them. */
  suspensionReason: string | null;
  suspendedBy: string | null;
}

/**
 * One page of people, newest first. `search` is the beginning of an email, a phone, or part of a name; without it, the
 * page lists suspended accounts. Deleted accounts aren't listed. One round trip; a search by name reads every profile.
 */
export async function listPeople(
  db: Database,
  search: string,
  after: string | null,
): Promise<ListPage<PersonRow> & { counts: AdminCounts }> {
  const wanted = readPeopleSearch(search, readPhone);
  const last = (column: SQL) =>
    sql`(SELECT ${column} FROM audit_log l WHERE l.subject = 'user:' || c.id AND l.action = 'user_suspended' ORDER BY l.created_at DESC LIMIT 1)`;
  const [people, counts] = await runBatch(db, [
    sql`SELECT c.id, p.full_name AS fullName, c.email, p.phone, p.campus_location AS campusLocation, p.account_type AS accountType, COALESCE(p.is_seller, 0) AS isSeller,
        COALESCE(p.is_admin, 0) AS isAdmin, p.verified_level AS verifiedLevel, c.created_at AS createdAt, c.suspended_at AS suspendedAt,
        (SELECT COUNT(*) FROM products q WHERE q.seller_id = c.id AND q.deleted_at IS NULL) AS listings,
        CASE WHEN c.suspended_at IS NOT NULL THEN ${last(sql`l.detail`)} END AS suspensionReason,
        CASE WHEN c.suspended_at IS NOT NULL THEN ${last(sql`(SELECT full_name FROM profiles WHERE id = l.actor_id)`)} END AS suspendedBy
      FROM credentials c LEFT JOIN profiles p ON p.id = c.id
      ${pageClause(sql`p.deleted_at IS NULL AND ${wanted ? matching(wanted) : sql`c.suspended_at IS NOT NULL`}`, sql`c.created_at`, sql`c.id`, "newest", readCursor(after))}`,
    adminCounts(),
  ]);
  const page = toListPage<PersonRow>(people);
  return {
    ...page,
    rows: page.rows.map((row) => ({ ...row, phone: row.phone && maskPhone(row.phone) })),
    counts: readAdminCounts(counts),
  };
}

function matching({ phone, email, name }: PeopleSearch): SQL {
  if (phone) return sql`p.phone = ${phone}`;
  const byEmail = sql`(c.email >= ${email} AND c.email < ${`${email}~`})`;
  return name === null ? byEmail : sql`(${byEmail} OR instr(lower(p.full_name), ${name}) > 0)`;
}
