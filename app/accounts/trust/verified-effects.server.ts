/**
 * What follows from a change of what is verified about people: their documents, their address, the list of
 * universities. It looks at the rows as they are: done twice, it leaves what it leaves when done once. The simulation
 * counts after every step where it doesn't hold (tests/support/simulation/effects.ts).
 */
import { and, eq, inArray, ne, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Statement } from "#app/db/batch.ts";
import { build, hasRow } from "#app/db/build.ts";
import { credentials, profiles, universityDomains } from "#app/accounts/tables.server.ts";
// oxlint-disable-next-line eslint/no-restricted-imports -- who is verified marks their listings in the same batch
import { products } from "#app/catalogue/tables.server.ts";
import { stateIs } from "#app/db/state-is.ts";
import { VERIFIED, type VerifiedLevel } from "#app/db/states/verified.ts";

const person = alias(profiles, "person");

/**
 * The statements for the batch that changes profiles, credentials or the list of universities, after those that write
 * them: each person's level, and the mark of their listings that the filter "verified sellers" asks for. Kept, because
 * each card of a list shows the level, and comparing 20 addresses with 80 universities would read 1,600 rows for it.
 * @param people SQL: the ids of all whose level may have changed, such as `idList` or a query. It is asked after the
 * change
 */
export function afterVerifiedChanged(people: SQLWrapper): Statement[] {
  const isVerified = isVerifiedPerson(products.sellerId);
  return [
    build
      .update(profiles)
      .set({ verifiedLevel: levelNow })
      .where(and(inArray(profiles.id, people), ne(profiles.verifiedLevel, levelNow))),
    build
      .update(products)
      .set({ sellerVerified: isVerified })
      .where(and(inArray(products.sellerId, people), ne(products.sellerVerified, isVerified))),
  ];
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

/** SQL on `profiles`. */
const levelNow = sql<VerifiedLevel>`CASE
  WHEN ${profiles.deletedAt} IS NOT NULL THEN 'none'
  WHEN ${profiles.verificationStatus} = 'approved' THEN iif(${isWholesaler}, 'business', 'student')
  ELSE (SELECT iif(${isWholesaler} AND ${credentials.emailConfirmedAt} IS NOT NULL, 'email', ${levelByAddress})
    FROM ${credentials} WHERE ${eq(credentials.id, profiles.id)}) END`;
