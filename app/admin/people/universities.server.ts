import { eq, not, or, sql } from "drizzle-orm";
import { afterVerifiedChanged, isAtDomain } from "#app/accounts/trust/verified-effects.server.ts";
import { expectOneChange, expectThat, holds, read } from "#app/db/batch.ts";
import { build, hasRow } from "#app/db/build.ts";
import type { Database, Store } from "#app/db/client.ts";
import { credentials, universityDomains } from "#app/accounts/tables.server.ts";
import { adminCounts, type AdminCounts, readAdminCounts } from "#app/team/admin-pages.server.ts";
import { performAdminAction, type Admin } from "#app/team/perform-act.server.ts";

export interface University {
  domain: string;
  name: string;
}

/** Kenya has about 80 universities. */
const SHOWN = 200;

/** The universities whose name or domain contains `search`, by name. One round trip. */
export async function listUniversities(
  db: Database,
  search: string,
): Promise<{ rows: University[]; counts: AdminCounts }> {
  const { domain, name } = universityDomains;
  const text = search.toLowerCase();
  const { rows, counts } = await read(db, {
    rows: build
      .select({ domain, name })
      .from(universityDomains)
      .where(or(sql`instr(lower(${name}), ${text}) > 0`, sql`instr(${domain}, ${text}) > 0`))
      .orderBy(sql`${name} COLLATE NOCASE`, domain)
      .limit(SHOWN),
    counts: adminCounts(),
  });
  return { rows, counts: readAdminCounts(counts) };
}

/**
 * Adds a university's domain, which verifies the students with a confirmed address there. `listed`: the domain, or
 * one that it is below, is on the list already. `stale`: they are no longer an admin.
 */
export async function addUniversity(
  store: Store,
  admin: Admin,
  { domain, name }: University,
): Promise<{ ok: true } | { ok: false; code: "listed" | "stale" }> {
  const above = universityDomains.domain;
  const isListed = hasRow(
    universityDomains,
    or(eq(above, domain), sql`substr(${domain}, -length(${above}) - 1) = '.' || ${above}`),
  );
  const done = await performAdminAction(
    store,
    admin,
    { action: "university_added", subject: `university:${domain}`, detail: name },
    [
      expectThat(not(isListed)),
      build.insert(universityDomains).values({ domain, name, createdAt: store.now() }),
      ...afterVerifiedChanged(peopleAt(domain)),
    ],
  );
  if (done) return { ok: true };
  return { ok: false, code: (await holds(store.db, isListed)) ? "listed" : "stale" };
}

/**
 * Removes a university's domain, which takes the level from students whom only an address there verified. `stale`: it
 * is gone already.
 */
export async function removeUniversity(
  store: Store,
  admin: Admin,
  domain: string,
): Promise<{ ok: true } | { ok: false; code: "stale" }> {
  const done = await performAdminAction(
    store,
    admin,
    { action: "university_removed", subject: `university:${domain}` },
    [
      build.delete(universityDomains).where(eq(universityDomains.domain, domain)),
      expectOneChange(),
      ...afterVerifiedChanged(peopleAt(domain)),
    ],
  );
  return done ? { ok: true } : { ok: false, code: "stale" };
}

/** SQL: everybody with an address at this domain or below it. */
function peopleAt(domain: string) {
  return build
    .select({ id: credentials.id })
    .from(credentials)
    .where(isAtDomain(sql`${domain}`));
}
