/** Who works on what. A claim tells; what keeps two decisions about the same apart is the guard of each decision. */
import { and, eq, gt, lte, or, type SQL, sql } from "drizzle-orm";
import { credentials, profiles } from "#app/accounts/tables.server.ts";
import { expectOneChange, expectThat, read, tryWrite, write } from "#app/db/batch.ts";
import { asJson, build, oneRow } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import { RETENTION } from "#app/platform/retention-rules.ts";
import type { ClaimForm } from "./claim-forms.ts";
import { type Claim, CLAIM_MS } from "./claim-rules.ts";
import { isAdmin } from "./is-admin.server.ts";
import type { Admin } from "./perform-act.server.ts";
import { adminClaims } from "./tables.server.ts";

/** SQL: the claim on `subject` ("kind:id"), or null. */
export function claimOn(subject: SQL, now: number): SQL<Claim | null> {
  const claim = build
    .select({
      claim: sql`json_object('adminId', ${adminClaims.adminId}, 'until', ${adminClaims.until},
        'name', COALESCE(NULLIF(${profiles.fullName}, ''), ${credentials.email}))`,
    })
    .from(adminClaims)
    .innerJoin(credentials, eq(credentials.id, adminClaims.adminId))
    .leftJoin(profiles, eq(profiles.id, adminClaims.adminId))
    .where(and(eq(adminClaims.subject, subject), gt(adminClaims.until, now)));
  return asJson<Claim | null>(sql`${claim}`);
}

/** The claim on `subject`; null where nobody has it. */
export async function findClaim({ db, now }: Pick<Store, "db" | "now">, subject: string): Promise<Claim | null> {
  const [found] = await read(db, oneRow({ claim: claimOn(sql`${subject}`, now()) }));
  return found?.claim ?? null;
}

/**
 * Takes something that nobody has, or that `over` has, or gives one's own back. Returns false if another admin was
 * faster.
 */
export function changeClaim({ db, now }: Store, admin: Admin, subject: string, form: ClaimForm): Promise<boolean> {
  const at = now();
  const { adminId, until } = adminClaims;
  if (form.intent === "release")
    return tryWrite(db, [
      build.delete(adminClaims).where(and(eq(adminClaims.subject, subject), eq(adminId, admin.id))),
      expectOneChange(),
    ]);
  const isFree = or(
    eq(adminId, admin.id),
    lte(until, at),
    form.over === undefined ? undefined : eq(adminId, form.over),
  );
  const claim = { adminId: admin.id, until: at + CLAIM_MS };
  return tryWrite(db, [
    expectThat(isAdmin(admin.id)),
    build
      .insert(adminClaims)
      .values({ subject, ...claim })
      .onConflictDoUpdate({ target: adminClaims.subject, set: claim, setWhere: isFree }),
    expectOneChange(),
  ]);
}

/** Deletes claims that are long over. Returns how many. */
export async function deleteOldClaims({ db, now }: Store): Promise<number> {
  const isOver = lte(adminClaims.until, now() - RETENTION.admin_claims.keptMs);
  const { deleted } = await write(db, { deleted: build.delete(adminClaims).where(isOver) });
  return deleted.meta.changes;
}
