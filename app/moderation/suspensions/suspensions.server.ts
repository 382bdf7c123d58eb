/**
 * Suspending people and taking listings down by hand, on the pages of people and reports. Each is a case
 * (`decide-case.server.ts`).
 */
import { and, eq, isNull } from "drizzle-orm";
import { credentials, profiles } from "#app/accounts/tables.server.ts";
import { products } from "#app/catalogue/tables.server.ts";
import type { DecideRefusal } from "#app/moderation/cases/case-rules.ts";
import type { Admin } from "#app/team/perform-act.server.ts";
import { takeBackByHand } from "#app/moderation/cases/undo-case.server.ts";
import { decideByHand } from "#app/moderation/cases/decide-case.server.ts";
import { type CaseResult, type CaseServices } from "#app/moderation/cases/case-facts.server.ts";

/**
 * `waits`: the deals end when a second admin confirms it. protected: an admin, or oneself. own_money: it would end a
 * deal of the admin, who could get money back by it. case: only the case that did it undoes it. stale: the account or
 * listing has changed or is gone.
 */
export type SuspensionResult =
  | { ok: true; waits?: boolean | undefined }
  | { ok: false; code: DecideRefusal | "protected" | "own_money" | "case" | "stale" };

/**
 * Suspends an account: every session ends at once, nobody can log in to it, its listings are taken down, and its owner
 * gets an email with the link of the appeal. Its deals end: what isn't shipped is refunded, and our team decides about
 * the rest. If that moves more than one admin may move alone, the deals wait for a second one. Payouts continue.
 */
export async function suspendUser(
  services: CaseServices,
  admin: Admin,
  userId: string,
  reason: string,
): Promise<SuspensionResult> {
  if (userId === admin.id) return { ok: false, code: "protected" };
  return resultOf(await decideByHand(services, admin, { subject: "person", subjectId: userId, statement: reason }));
}

/**
 * Takes a listing down everywhere. Its seller gets an email with the link of the appeal, and a notice on open pages.
 */
export async function suspendListing(
  services: CaseServices,
  admin: Admin,
  productId: string,
  reason: string,
): Promise<SuspensionResult> {
  return resultOf(await decideByHand(services, admin, { subject: "listing", subjectId: productId, statement: reason }));
}

function resultOf(decided: CaseResult): SuspensionResult {
  if (decided.ok) return { ok: true, waits: decided.waits && true };
  return { ok: false, code: decided.code === "not_found" ? "stale" : decided.code };
}

/**
 * Restores an account, with the listings that were taken down with it, except those that are being checked. Its deals
 * that the job hasn't ended yet go on. A deleted account stays deleted. What another admin decided, only that case
 * undoes.
 */
export async function restoreUser(services: CaseServices, admin: Admin, userId: string): Promise<SuspensionResult> {
  const [user] = await services.db
    .select({ at: credentials.suspendedAt })
    .from(credentials)
    .leftJoin(profiles, eq(profiles.id, credentials.id))
    .where(and(eq(credentials.id, userId), isNull(profiles.deletedAt)));
  if (!user || user.at === null) return { ok: false, code: "stale" };
  return takeBackByHand(services, admin, { subject: "person", subjectId: userId, at: user.at });
}

/**
 * Restores a listing. If its seller is suspended, it stays down until the seller is restored. A listing that is held
 * for a look is `stale`: the decision of its case publishes it. Nobody restores their own (`concerned`), or what
 * another admin decided. Its deals that the job hasn't ended yet go on.
 */
export async function restoreListing(
  services: CaseServices,
  admin: Admin,
  productId: string,
): Promise<SuspensionResult> {
  const isOurs = and(eq(products.id, productId), isNull(products.heldFor), isNull(products.deletedAt));
  const [listing] = await services.db
    .select({ at: products.suspendedAt, sellerId: products.sellerId })
    .from(products)
    .innerJoin(credentials, eq(credentials.id, products.sellerId))
    .where(and(isOurs, isNull(credentials.suspendedAt)));
  if (!listing || listing.at === null) return { ok: false, code: "stale" };
  if (listing.sellerId === admin.id) return { ok: false, code: "concerned" };
  return takeBackByHand(services, admin, { subject: "listing", subjectId: productId, at: listing.at });
}
