/**
 * What follows from a change of what is verified about people: their documents, their address, the list of
 * universities. It looks at the rows as they are: done twice, it leaves what it leaves when done once. The simulation
 * counts after every step where it doesn't hold (tests/support/simulation/effects.ts).
 */
import { and, eq, inArray, isNull, lt, ne, or, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Statement } from "#app/db/batch.ts";
import { build, hasRow } from "#app/db/build.ts";
import { credentials, profiles, universityDomains } from "#app/accounts/tables.server.ts";
// oxlint-disable-next-line eslint/no-restricted-imports -- who is verified marks their listings in the same batch
import { products } from "#app/catalogue/tables.server.ts";
import { stateIs } from "#app/db/state-is.ts";
import { VERIFIED, type VerifiedLevel } from "#app/db/states/verified.ts";
import { studentUntil } from "./student-end-rules.ts";

const person = alias(profiles, "person");

/**
 * The statements for the batch that changes profiles, credentials or the list of universities, after those that write
 * them: each person's level, until when a student is one, and the mark of their listings that the filter "verified
 * sellers" asks for. Kept, because each card of a list shows the level, and comparing 20 addresses with 80 universities
 * would read 1,600 rows for it. A job does it at the end of a proof (`student-end.server.ts`).
 * @param people SQL: the ids of all whose level may have changed, such as `idList` or a query. It is asked after the
 * change
 */
export function afterVerifiedChanged(people: SQLWrapper, now: number): Statement[] {
  const isVerified = isVerifiedPerson(products.sellerId);
  const level = levelAt(now);
  return [
    build
      .update(profiles)
      .set({ verifiedLevel: level })
      .where(and(inArray(profiles.id, people), ne(profiles.verifiedLevel, level))),
    build
      .update(profiles)
      .set({ studentUntil: studentUntil(now) })
      .where(
        and(
          inArray(profiles.id, people),
          isNull(profiles.studentUntil),
          stateIs(profiles.verifiedLevel, VERIFIED.isStudent),
        ),
      ),
    build
      .update(products)
      .set({ sellerVerified: isVerified })
      .where(and(inArray(products.sellerId, people), ne(products.sellerVerified, isVerified))),
  ];
}

/**
 * A new proof that somebody is a student, before `afterVerifiedChanged` in its batch. address: they have just shown
 * that their address is theirs, which counts if it is at a university. document: our team has approved their ID.
 */
export function noteStudentProof(userId: string, by: "address" | "document", now: number): Statement {
  const until = studentUntil(now);
  return build
    .update(profiles)
    .set({ studentUntil: until, studentToldAt: null })
    .where(
      and(
        eq(profiles.id, userId),
        or(isNull(profiles.studentUntil), lt(profiles.studentUntil, until)),
        by === "address" ? hasStudentAddress : undefined,
      ),
    );
}

/** SQL: somebody checked more of this person than an email address. */
export function isVerifiedPerson(id: SQLWrapper): SQL<boolean> {
  return hasRow(person, and(eq(person.id, id), stateIs(person.verifiedLevel, VERIFIED.isVerified))) as SQL<boolean>;
}

/** SQL on `credentials`: the address is at this domain, or below it. */
export function isAtDomain(domain: SQLWrapper): SQL {
  return sql`substr(${credentials.email}, -length(${domain}) - 1) IN ('@' || ${domain}, '.' || ${domain})`;
}

/** SQL on `credentials`: the level of a student of whom our team has approved nothing. */
export const levelByAddress = sql<VerifiedLevel>`CASE
  WHEN ${credentials.emailConfirmedAt} IS NULL THEN 'none'
  WHEN ${hasRow(universityDomains, isAtDomain(universityDomains.domain))} THEN 'student'
  ELSE 'email' END`;

const isWholesaler = sql`${profiles.accountType} = 'wholesaler'`;

/** SQL on `profiles`: their confirmed address is at a university. */
export const hasStudentAddress = sql<boolean>`(${eq(profiles.accountType, "student")} AND ${hasRow(
  credentials,
  and(eq(credentials.id, profiles.id), sql`${levelByAddress} = 'student'`),
)})`;

/** SQL on `profiles`: the level of this person. The one rule of it: all others read what it has written. */
function levelAt(now: number): SQL<VerifiedLevel> {
  const isOver = sql`COALESCE(${profiles.studentUntil} <= ${now}, 0)`;
  return sql<VerifiedLevel>`CASE
    WHEN ${profiles.deletedAt} IS NOT NULL THEN 'none'
    WHEN ${profiles.verificationStatus} = 'approved' AND ${isWholesaler} THEN 'business'
    WHEN ${profiles.verificationStatus} = 'approved' AND NOT ${isOver} THEN 'student'
    ELSE (SELECT CASE
      WHEN ${credentials.emailConfirmedAt} IS NOT NULL AND (${isWholesaler} OR ${isOver}) THEN 'email'
      ELSE ${levelByAddress} END
      FROM ${credentials} WHERE ${eq(credentials.id, profiles.id)}) END`;
}
