/** Undoing decisions: by an appeal that is granted, or by hand. */
import { PERSON_COPY } from "#app/accounts/profile/person-copy.server.ts";
import { otherCaseRow } from "#app/moderation/table-rows.server.ts";
import { and, desc, eq, exists, gt, isNotNull, isNull, lt, max, ne, not, type SQL, sql } from "drizzle-orm";
import { afterListingsChanged, listingsOf } from "#app/catalogue/listing-effects.server.ts";
import { holdReported, listingsReportedBy } from "#app/catalogue/serials/serials.server.ts";
import { updateListings } from "#app/catalogue/write-listings.server.ts";
import { expectOneChange, holds, type Statement } from "#app/db/batch.ts";
import { build, hasRow, idList } from "#app/db/build.ts";
import { adminProposals, moderationCases } from "#app/moderation/tables.server.ts";
import { copies } from "#app/db/tables.server.ts";
import { credentials, profiles, shops } from "#app/accounts/tables.server.ts";
import { dealHolds, orderItems } from "#app/orders/tables.server.ts";
import { products } from "#app/catalogue/tables.server.ts";
import { openHeldCases } from "./held-cases.server.ts";
import { upheld } from "./upheld-cases.server.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ITEM } from "#app/db/states/item.ts";
import { CASE, type CaseSubject } from "#app/db/states/moderation.ts";
import { IS_OPEN_PROPOSAL, voidProposal } from "#app/moderation/second-admin/open-proposals.server.ts";
import { resumeDeals } from "#app/deals/tell-held.server.ts";
import { type DecideRefusal } from "./case-rules.ts";
import { unscheduleEnd } from "#app/deals/deal-records.server.ts";
import { endHeldDeals } from "#app/deals/deal-holds.server.ts";
import { notify } from "#app/notifications/notify.server.ts";
import type { FreeAct } from "#app/team/act-rules.ts";
import { copyEdited } from "#app/db/copies.ts";
import { restorePhotos } from "#app/catalogue/photos/removed-photos.server.ts";
import { isAdmin } from "#app/team/is-admin.server.ts";
import { type Admin, guardAndAudit, performAdminAction } from "#app/team/perform-act.server.ts";
import {
  itemsOfListing,
  itemsOfPerson,
  restoreListingsOf,
} from "#app/moderation/suspensions/suspension-statements.server.ts";
import {
  SELLER_SUSPENDED_AT,
  changeRemoval,
  expectSeen,
  movePhotosNow,
  reloadConversation,
  tellReporters,
} from "./decision-parts.server.ts";
import type { CaseFacts, CaseResult, CaseServices, ModerationServices } from "./case-facts.server.ts";
import { findCaseFacts, isStill, readFacts, refusalFor, storedCase } from "./case-facts.server.ts";
import { findNextCase } from "./case-queue.server.ts";

/**
 * Answers an appeal, once. Granting it undoes exactly what the decision did: each change carries the decision's time.
 * Deals that ended stay ended. `seenAt` as in `decideCase`.
 */
export async function answerAppeal(
  services: CaseServices,
  admin: Admin,
  input: { caseId: string; granted: boolean; answer: string; seenAt?: number },
): Promise<CaseResult> {
  const facts = await findCaseFacts(services.db, input.caseId);
  if (!facts) return { ok: false, code: "not_found" };
  if (!CASE.isAppealed(facts.state)) return { ok: false, code: "stale" };
  const refusal = refusalFor(admin, facts);
  if (refusal) return { ok: false, code: refusal };
  const now = services.now();
  const { granted, answer } = input;
  const data = { granted, answer, appealToken: facts.appealToken };
  const done = await performAdminAction(
    services,
    admin,
    { action: granted ? "appeal_granted" : "appeal_declined", subject: `case:${facts.id}`, detail: answer },
    [
      build
        .update(moderationCases)
        .set({ ...closedBy(admin, now), appealGranted: granted, appealAnswer: answer, updatedAt: now })
        .where(isStill(facts, CASE.isAppealed)),
      expectOneChange(),
      ...(granted ? [...expectSeen(facts, input.seenAt), ...undo(services, admin, facts, now)] : []),
      ...(granted ? tellReporters(facts.id, { kind: "report_undone", data: { subject: facts.subject } }, now) : []),
      ...notify(facts.reported, { kind: "appeal_answered", data }, `appeal_answered:${facts.id}`, now),
    ],
  );
  if (!done) return { ok: false, code: "stale" };
  if (granted) {
    await movePhotosNow(services);
    await reloadConversation(services, facts.recipientId);
    await services.notifier.send(facts.reported.id, { type: "account", notice: "We've undone our decision." });
  }
  return { ok: true, nextId: await findNextCase(services.db, admin.id, facts.id) };
}

function closedBy(admin: Admin, now: number) {
  return { state: "closed", appealDecidedBy: admin.id, closedAt: now } as const;
}

/**
 * Takes back a decision that nobody has appealed, by hand: the case is closed as undone. `at`: when the account or
 * listing was suspended. case: another admin decided it, or its appeal waits or is over, so only that case undoes it.
 */
export async function takeBackByHand(
  services: CaseServices,
  admin: Admin,
  { subject, subjectId, at }: { subject: "person" | "listing"; subjectId: string; at: number },
): Promise<{ ok: true } | { ok: false; code: DecideRefusal | "case" | "stale" }> {
  const { decision, decidedAt, decidedBy } = moderationCases;
  const stands = and(
    ...(subject === "person"
      ? [eq(moderationCases.reportedId, subjectId), eq(decision, "suspended")]
      : [eq(moderationCases.subject, "listing"), eq(moderationCases.subjectId, subjectId)]),
    sql`${moderationCases.appealGranted} IS NOT 1`,
  );
  const facts = await readFacts(services.db, storedCase(and(stands, eq(decidedAt, at))), { isByHand: true });
  if (!facts) return { ok: false, code: "stale" };
  const isTheirs = facts.decidedBy === admin.id || !facts.admins.includes(facts.decidedBy ?? "");
  if (!CASE.isDecided(facts.state) || !isTheirs) return { ok: false, code: "case" };
  const refusal = refusalFor(admin, { ...facts, decidedBy: null });
  if (refusal) return { ok: false, code: refusal };
  // Another admin may have decided the same since, while the account or listing was suspended already.
  const byOther = and(ne(decidedBy, admin.id), isAdmin(decidedBy));
  const again = and(stands, gt(decidedAt, at), ne(decision, "dismissed"), byOther);
  if (await holds(services.db, hasRow(moderationCases, again))) return { ok: false, code: "case" };
  const now = services.now();
  // The account comes back, and what the case is about stays removed: it is then a warning.
  const stays = subject === "person" && facts.subject !== "person" ? ("warned" as const) : null;
  const change = stays === null ? { ...closedBy(admin, now), appealGranted: true } : { decision: stays };
  const data = { subject: facts.subject, decision: stays, appealToken: facts.appealToken };
  const done = await performAdminAction(services, admin, { action: "case_taken_back", subject: `case:${facts.id}` }, [
    build
      .update(moderationCases)
      .set({ ...change, updatedAt: now })
      .where(and(isStill(facts, CASE.isDecided), sql`${decision} = ${facts.decision}`)),
    expectOneChange(),
    ...(stays === null
      ? [
          ...undo(services, admin, facts, now),
          ...tellReporters(facts.id, { kind: "report_undone", data: { subject: facts.subject } }, now),
        ]
      : [
          ...undoSuspension(services, admin, facts, now),
          ...liftOthers(facts, now),
          ...tellReporters(facts.id, { kind: "case_outcome", data: { subject: facts.subject, decision: stays } }, now),
        ]),
    ...notify(facts.reported, { kind: "decision_changed", data }, `decision_changed:${facts.id}:${now}`, now),
  ]);
  if (!done) return { ok: false, code: "stale" };
  await movePhotosNow(services);
  await services.notifier.send(facts.reported.id, { type: "account", notice: "We've undone our decision." });
  return { ok: true };
}

/** SQL: the ids of the proposals about this. */
function proposalsAbout(subject: string, only?: SQL): SQL {
  const { id } = adminProposals;
  return build
    .select({ id })
    .from(adminProposals)
    .where(and(eq(adminProposals.subject, subject), only))
    .getSQL();
}

/** The deals that waited for a second admin because of this case go on as they were. */
function liftWaiting({ id }: CaseFacts, now: number): Statement[] {
  const subject = `case:${id}`;
  const proposals = proposalsAbout(subject);
  return [...resumeDeals(proposals, now), voidProposal(subject, now)];
}

/**
 * The same where the listing of this case stays down: its own deals go on waiting, because they would have ended
 * without the account, too.
 */
function liftOthers(facts: CaseFacts, now: number): Statement[] {
  if (facts.subject !== "listing") return liftWaiting(facts, now);
  const about = `case:${facts.id}`;
  const proposals = proposalsAbout(about);
  const withMoney = build
    .select({ id: orderItems.id })
    .from(dealHolds)
    .innerJoin(orderItems, eq(orderItems.id, dealHolds.orderItemId))
    .where(
      and(
        eq(dealHolds.proposalId, adminProposals.id),
        gt(orderItems.subtotal, 0),
        stateIs(orderItems.status, ITEM.isRunning),
      ),
    );
  const withoutMoney = and(IS_OPEN_PROPOSAL, not(exists(withMoney)));
  const kept = itemsOfListing(facts.subjectId);
  return [
    ...resumeDeals(proposals, now, kept),
    // What is free needs no second admin.
    ...endHeldDeals(proposalsAbout(about, withoutMoney), now),
    build
      .update(adminProposals)
      .set({ state: "void", decidedAt: now })
      .where(and(eq(adminProposals.subject, about), withoutMoney)),
  ];
}

/**
 * The account comes back, if this case suspended it and no other case that stands did. Listings that a case took down
 * stay down, unless it is undone already.
 */
function undoSuspension(
  services: ModerationServices,
  admin: Admin,
  { id, reported, decision, decidedAt }: CaseFacts,
  now: number,
): Statement[] {
  if (decision !== "suspended" || decidedAt === null) return [];
  // From then on the suspension is that case's, whose appeal ends it.
  const suspendedAt = otherDecision(
    id,
    and(eq(otherCaseRow.reportedId, reported.id), eq(otherCaseRow.decision, "suspended")),
  );
  const isSuspended = and(
    eq(credentials.id, reported.id),
    eq(credentials.suspendedAt, decidedAt),
    not(hasRow(profiles, and(eq(profiles.id, reported.id), isNotNull(profiles.deletedAt)))),
  );
  const isRestored = hasRow(credentials, and(isSuspended, sql`${suspendedAt} IS NULL`));
  return [
    ...guardAndAudit(services, admin, { action: "user_restored", subject: `user:${reported.id}` }, isRestored),
    ...restoreListingsOf(reported.id, { from: decidedAt, to: suspendedAt }, now),
    build.update(credentials).set({ suspendedAt, updatedAt: now }).where(isSuspended),
    // What is held again keeps its deals, so it is held after this.
    unscheduleEnd(itemsOfPerson(reported.id)),
    ...holdReported(listingsOf(reported.id), now, openHeldCases),
    // What they reported counts again.
    ...holdReported(listingsReportedBy(reported.id), now, openHeldCases),
  ];
}

/** SQL: when another case than `caseId` that counts was decided; null where there is none. */
function otherDecision(caseId: string, isAbout?: SQL): SQL {
  return sql`(${build
    .select({ at: max(otherCaseRow.decidedAt) })
    .from(otherCaseRow)
    .where(and(isAbout, upheld(otherCaseRow), ne(otherCaseRow.id, caseId)))})`;
}

function undo(services: ModerationServices, admin: Admin, facts: CaseFacts, now: number): Statement[] {
  return [...undoSubject(services, admin, facts, now), restorePhotos(facts.id, now), ...liftWaiting(facts, now)];
}

/** Restores what the decision took away, notes each restoration in the audit log, and lifts the suspension, if any. */
function undoSubject(services: ModerationServices, admin: Admin, facts: CaseFacts, now: number): Statement[] {
  const { subject, subjectId, decision, decidedAt: at } = facts;
  if (at === null) return [];
  const note = (action: FreeAct, about: string) => guardAndAudit(services, admin, { action, subject: about });
  // The case counts as undone already, so the listing that it took down is restored as well.
  const account = undoSuspension(services, admin, facts, now);
  switch (subject) {
    case "person": {
      if (decision !== "removed") return account;
      const isErased = hasRow(profiles, and(eq(profiles.id, subjectId), isNotNull(profiles.deletedAt)));
      return [
        build
          .update(profiles)
          .set({ photoUrl: pictureBefore("photo", subjectId, at), updatedAt: now })
          .where(and(eq(profiles.id, subjectId), isNull(profiles.photoUrl), not(isErased))),
        build
          .update(shops)
          .set({ logoUrl: pictureBefore("logo", subjectId, at), updatedAt: now })
          .where(and(eq(shops.id, subjectId), isNull(shops.logoUrl))),
        build
          .update(shops)
          .set({ bannerUrl: pictureBefore("banner", subjectId, at), updatedAt: now })
          .where(and(eq(shops.id, subjectId), isNull(shops.bannerUrl))),
        copyEdited(PERSON_COPY, idList(subjectId), now),
        ...note("pictures_restored", `user:${subjectId}`),
      ];
    }
    case "listing": {
      const otherTakedown = otherDecision(
        facts.id,
        and(eq(otherCaseRow.subject, "listing"), eq(otherCaseRow.subjectId, subjectId)),
      );
      return [
        // If another case took it down, too, it stays. If the seller is suspended for something else, it comes back
        // with the account.
        updateListings(
          { suspendedAt: sql`COALESCE(${otherTakedown}, ${SELLER_SUSPENDED_AT})`, updatedAt: now },
          and(eq(products.id, subjectId), isNull(products.deletedAt), eq(products.suspendedAt, at)),
        ),
        ...afterListingsChanged(idList(subjectId), now),
        ...note("listing_restored", `product:${subjectId}`),
        ...account,
        // What is held again keeps its deals, so it is held after this.
        unscheduleEnd(itemsOfListing(subjectId)),
        ...holdReported(idList(subjectId), now, openHeldCases),
      ];
    }
    case "review":
    case "reply":
    case "message":
      return [
        ...changeRemoval(subject, subjectId, { from: at, to: null }),
        ...note(`${subject}_restored`, `${subject === "message" ? subject : "review"}:${subjectId}`),
        ...account,
      ];
  }
}

/** SQL: a person's picture as the last copy before `at` (ms) has it. Each case begins with a copy. */
function pictureBefore(which: "photo" | "logo" | "banner", personId: string, at: number): SQL {
  return sql`${build
    .select({ url: sql`${copies.content} ->> ${which}` })
    .from(copies)
    .where(
      and(eq(copies.kind, "person" satisfies CaseSubject), eq(copies.subjectId, personId), lt(copies.createdAt, at)),
    )
    .orderBy(desc(copies.id))
    .limit(1)}`;
}
