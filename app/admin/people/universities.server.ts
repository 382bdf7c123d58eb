import { alias } from "drizzle-orm/sqlite-core";
import { notifyEach } from "#app/notifications/notify.server.ts";
import type { Statement } from "#app/db/batch.ts";
import { and, eq, ne, not, or, sql } from "drizzle-orm";
import { campusRows, type Campus } from "#app/accounts/profile/campuses.server.ts";
import { unlinkIssuer } from "#app/accounts/login/issuer-sign-in.server.ts";
import { afterVerifiedChanged, isAtDomain } from "#app/accounts/trust/verified-effects.server.ts";
import { expectOneChange, expectThat, holds, read } from "#app/db/batch.ts";
import { build, hasRow, insertEach, named, pick } from "#app/db/build.ts";
import type { Database, Store } from "#app/db/client.ts";
import {
  campusLocations,
  credentials,
  loginIssuers,
  profiles,
  universityDomains,
} from "#app/accounts/tables.server.ts";
import { adminCounts, type AdminCounts, readAdminCounts } from "#app/team/admin-pages.server.ts";
import { performAdminAction, type Admin } from "#app/team/perform-act.server.ts";

export interface University {
  domain: string;
  name: string;
}

export interface UniversityLogin {
  /** The issuer's URL. */
  issuer: string;
  clientId: string;
  campusId: number | null;
}

export type UniversityRow = University & { login: (UniversityLogin & { isOn: boolean }) | null };

/** Kenya has about 80 universities. */
const SHOWN = 200;

/** The universities whose name or domain contains `search`, by name. One round trip. */
export async function listUniversities(
  db: Database,
  search: string,
): Promise<{ rows: UniversityRow[]; campuses: Campus[]; counts: AdminCounts }> {
  const { domain, name } = universityDomains;
  const text = search.toLowerCase();
  const { rows, campuses, counts } = await read(db, {
    rows: build
      .select({ domain, name, ...pick(loginIssuers, "issuer", "clientId", "campusId", "isOn") })
      .from(universityDomains)
      .leftJoin(loginIssuers, eq(loginIssuers.domain, domain))
      .where(or(sql`instr(lower(${name}), ${text}) > 0`, sql`instr(${domain}, ${text}) > 0`))
      .orderBy(sql`${name} COLLATE NOCASE`, domain)
      .limit(SHOWN),
    campuses: campusRows(),
    counts: adminCounts(),
  });
  return {
    rows: rows.map(({ issuer, clientId, campusId, isOn, ...university }) => ({
      ...university,
      login: issuer === null || clientId === null ? null : { issuer, clientId, campusId, isOn: isOn === true },
    })),
    campuses,
    counts: readAdminCounts(counts),
  };
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
      ...afterVerifiedChanged(peopleAt(domain), store.now()),
    ],
  );
  if (done) return { ok: true };
  return { ok: false, code: (await holds(store.db, isListed)) ? "listed" : "stale" };
}

/**
 * Removes a university's domain, which takes the level from students whom only an address there verified. `has_login`:
 * its login must go first. `stale`: it is gone already.
 */
export async function removeUniversity(
  store: Store,
  admin: Admin,
  domain: string,
): Promise<{ ok: true } | { ok: false; code: "has_login" | "stale" }> {
  const hasLogin = hasRow(loginIssuers, eq(loginIssuers.domain, domain));
  const done = await performAdminAction(
    store,
    admin,
    { action: "university_removed", subject: `university:${domain}` },
    [
      expectThat(not(hasLogin)),
      build.delete(universityDomains).where(eq(universityDomains.domain, domain)),
      expectOneChange(),
      ...afterVerifiedChanged(peopleAt(domain), store.now()),
    ],
  );
  if (done) return { ok: true };
  return { ok: false, code: (await holds(store.db, hasLogin)) ? "has_login" : "stale" };
}

/**
 * Adds the login of a university, turned on. `listed`: it has one already. `stale`: the university, the campus or the
 * admin's role is gone.
 */
export async function addLogin(
  store: Store,
  admin: Admin,
  domain: string,
  { issuer, clientId, campusId }: UniversityLogin,
): Promise<{ ok: true } | { ok: false; code: "listed" | "stale" }> {
  const isListed = hasRow(loginIssuers, eq(loginIssuers.domain, domain));
  const at = sql`FROM ${universityDomains} WHERE ${eq(universityDomains.domain, domain)}`;
  const hasCampus = campusId === null ? sql`1` : hasRow(campusLocations, eq(campusLocations.id, campusId));
  const done = await performAdminAction(
    store,
    admin,
    { action: "university_login_added", subject: `university:${domain}`, detail: `${issuer}, ${clientId}` },
    [
      expectThat(not(isListed)),
      insertEach(
        loginIssuers,
        {
          domain: universityDomains.domain,
          issuer,
          clientId,
          campusId: sql`${campusId}`,
          isOn: sql`1`,
          createdAt: store.now(),
        },
        sql`${at} AND ${hasCampus}`,
      ),
      expectOneChange(),
      ...tellOtherOwners(admin, domain, store.now()),
    ],
  );
  if (done) return { ok: true };
  return { ok: false, code: (await holds(store.db, isListed)) ? "listed" : "stale" };
}

/** Tells the other owners, because whoever runs the issuer opens the accounts of everybody there. */
function tellOtherOwners(admin: Admin, domain: string, now: number): Statement[] {
  const name = sql`COALESCE(NULLIF(${profiles.fullName}, ''), ${admin.email})`;
  const by = build.select({ name }).from(profiles).where(eq(profiles.id, admin.id));
  const issuer = build
    .select({ issuer: loginIssuers.issuer })
    .from(loginIssuers)
    .where(eq(loginIssuers.domain, domain));
  const owner = alias(profiles, "owner");
  return notifyEach(
    "login_added",
    build
      .select({
        ...named({ userId: owner.id }),
        key: sql`${`login_added:${domain}:${now}:`} || ${owner.id}`.as("key"),
        data: sql`json_object('domain', ${domain}, 'issuer', ${issuer}, 'by', ${by})`.as("data"),
      })
      .from(owner)
      .where(and(eq(owner.adminRole, "owner"), ne(owner.id, admin.id)))
      .getSQL(),
    now,
  );
}

/** Turns the login of a university off, or on again. `stale`: it is so already, or gone. */
export async function turnLogin(
  store: Store,
  admin: Admin,
  domain: string,
  isOn: boolean,
): Promise<{ ok: true } | { ok: false; code: "stale" }> {
  const action = isOn ? "university_login_on" : "university_login_off";
  const done = await performAdminAction(store, admin, { action, subject: `university:${domain}` }, [
    build
      .update(loginIssuers)
      .set({ isOn })
      .where(and(eq(loginIssuers.domain, domain), ne(loginIssuers.isOn, isOn))),
    expectOneChange(),
    ...(isOn ? tellOtherOwners(admin, domain, store.now()) : []),
  ]);
  return done ? { ok: true } : { ok: false, code: "stale" };
}

/**
 * Removes the login of a university, and what linked accounts to it: another issuer may give the same ids to others.
 * `stale`: it is gone already.
 */
export async function removeLogin(
  store: Store,
  admin: Admin,
  domain: string,
): Promise<{ ok: true } | { ok: false; code: "stale" }> {
  const done = await performAdminAction(
    store,
    admin,
    { action: "university_login_removed", subject: `university:${domain}` },
    [build.delete(loginIssuers).where(eq(loginIssuers.domain, domain)), expectOneChange(), ...unlinkIssuer(domain)],
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
