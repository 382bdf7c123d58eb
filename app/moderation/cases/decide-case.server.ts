/** Deciding cases: by a report, or by hand. */
import { PERSON_COPY } from "#app/accounts/profile/person-copy.server.ts";
import type { MayAct } from "#app/team/perform-act.server.ts";
import { and, eq, isNotNull, isNull, lte, not, or, type SQL, sql } from "drizzle-orm";
import { endClosedOffers } from "#app/catalogue/end-offers.server.ts";
import { afterListingsChanged } from "#app/catalogue/listing-effects.server.ts";
import { clearReported } from "#app/catalogue/serials/serials.server.ts";
import { updateListings } from "#app/catalogue/write-listings.server.ts";
import { expectOneChange, expectThat, type Statement } from "#app/db/batch.ts";
import { build, hasRow, idList } from "#app/db/build.ts";
import { isOpenAccount } from "#app/accounts/open-account.server.ts";
import { profiles, shops } from "#app/accounts/tables.server.ts";
import { moderationCases, reports } from "#app/moderation/tables.server.ts";
import { products } from "#app/catalogue/tables.server.ts";
import { CASE, type CaseDecision } from "#app/db/states/moderation.ts";
import { tellHeld } from "#app/deals/tell-held.server.ts";
import { decisionWords } from "./decision-words.ts";
import { scheduleEnd } from "#app/deals/deal-records.server.ts";
import { holdDeals } from "#app/deals/deal-holds.server.ts";
import { liftIdleReportsOf, liftReportsOf } from "#app/payments/reports-stop-money.server.ts";
import type { Notification } from "#app/notifications/kinds.ts";
import { notify } from "#app/notifications/notify.server.ts";
import type { FreeAct, MoneyAct } from "#app/team/act-rules.ts";
import {
  caseFrees,
  caseMoves,
  caseMovesSince,
  dealMoves,
  freedJson,
} from "#app/moderation/second-admin/act-moves.server.ts";
import { copyEdited } from "#app/db/copies.ts";
import { copyCases, photosShown } from "./copies.server.ts";
import { beginWeeks } from "#app/accounts/invitations/invitations.server.ts";
import { whoSells } from "#app/catalogue/listing-columns.server.ts";
import { removePhotos } from "#app/catalogue/photos/removed-photos.server.ts";
import { proposeStatements, weighAct } from "#app/moderation/second-admin/weigh-act.server.ts";
import { type Admin, type AdminAction, guardAndAudit, performMoneyAction } from "#app/team/perform-act.server.ts";
import { performOrPropose } from "#app/moderation/second-admin/propose-act.server.ts";
import {
  endsOwnDeal,
  itemsOfListing,
  itemsOfPerson,
  suspendAccount,
  takeDownWith,
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
import { caseByHand, findCaseFacts, isStill, readFacts, refusalFor } from "./case-facts.server.ts";
import { findNextCase } from "./case-queue.server.ts";

interface Decided {
  decision: CaseDecision;
  statement: string;
  seenAt?: number | undefined;
}

/**
 * Decides an open case in one batch: what is reported, the audit log, and the emails to the reporters and to the person
 * concerned. A held listing is published when its case is dismissed. `seenAt`: when what the admin saw, the case or its
 * listing, was last changed, ms. What a seller has changed since then isn't published, and who has reported since then
 * isn't answered (`stale`).
 */
export async function decideCase(
  services: CaseServices,
  admin: Admin,
  input: { caseId: string; decision: CaseDecision; statement: string; seenAt?: number },
): Promise<CaseResult> {
  const facts = await findCaseFacts(services.db, input.caseId);
  return facts ? decide(services, admin, facts, input) : { ok: false, code: "not_found" };
}

/**
 * Suspends a person or takes a listing down without a report: it decides the open case about it, or opens one. So the
 * same rules decide, and the person concerned can appeal.
 */
export async function decideByHand(
  services: CaseServices,
  admin: Admin,
  { subject, subjectId, statement }: { subject: "person" | "listing"; subjectId: string; statement: string },
): Promise<CaseResult> {
  const facts = await readFacts(services.db, caseByHand(subject, subjectId), { isByHand: true });
  if (!facts || facts.isHeld) return { ok: false, code: "stale" };
  return decide(services, admin, facts, { decision: subject === "person" ? "suspended" : "removed", statement }, [
    subject === "person"
      ? expectThat(isOpenAccount(subjectId))
      : expectThat(
          hasRow(products, and(eq(products.id, subjectId), isNull(products.suspendedAt), isNull(products.deletedAt))),
        ),
  ]);
}

/** `only`: more guards. They abort the batch. */
async function decide(
  services: CaseServices,
  admin: Admin,
  facts: CaseFacts,
  { decision, statement: words, seenAt }: Decided,
  only: Statement[] = [],
): Promise<CaseResult> {
  const { subject, subjectId, reported } = facts;
  if (!CASE.isOpen(facts.state)) return { ok: false, code: "stale" };
  const refusal = refusalFor(admin, facts);
  if (refusal) return { ok: false, code: refusal };
  if (decision === "suspended" && reported.isAdmin) return { ok: false, code: "protected" };
  const ended =
    decision === "suspended"
      ? itemsOfPerson(reported.id)
      : subject === "listing" && decision !== "dismissed"
        ? itemsOfListing(subjectId)
        : null;
  if (ended && (await endsOwnDeal(services, admin.id, ended))) return { ok: false, code: "own_money" };
  const now = services.now();
  const statement = decision === "dismissed" ? null : words;
  const about = { subject: `case:${facts.id}`, detail: statement };
  const changes = [
    ...only,
    ...(facts.isNew ? openCase(facts, now) : []),
    build
      .update(moderationCases)
      .set({ state: "decided", decision, statement, decidedBy: admin.id, decidedAt: now, updatedAt: now })
      .where(
        and(isStill(facts, CASE.isOpen), seenAt === undefined ? undefined : lte(moderationCases.updatedAt, seenAt)),
      ),
    expectOneChange(),
    ...(decision === "dismissed" ? expectSeen(facts, seenAt) : []),
    // Before what shows them forgets them.
    ...(removesPhotos(facts, decision) ? [removePhotos(facts.id, photosShown(subject, subjectId, facts.id))] : []),
    ...effects(services, admin, facts, { decision, statement, now }),
    ...liftReportsAndTell(facts, { decision, statement: statement ?? "", endsDeals: ended !== null, now }),
  ];
  const done =
    decision === "suspended" || ended
      ? await endTheirDeals(services, admin, { action: `case_${decision}`, ...about }, { ended, words, changes, now })
      : await performOrPropose(
          services,
          admin,
          {
            act: `case_${decision}`,
            subject: about.subject,
            moves: caseMoves(facts.id),
            movesSince: (at) => caseMovesSince(facts.id, at),
            input: { statement: statement ?? "" },
          },
          statement,
          changes,
        );
  if (done === "stale") return { ok: false, code: done };
  if (done !== "proposed") {
    await movePhotosNow(services);
    await tellPages(services, facts, decision);
  }
  const nextId = await findNextCase(services.db, admin.id, facts.id);
  return { ok: true, nextId, waits: done === "done" ? undefined : done };
}

/**
 * Whether a decision takes down what shows the photos of its subject. Of a person, only the removal of their pictures
 * does.
 */
function removesPhotos({ subject }: CaseFacts, decision: CaseDecision): boolean {
  return decision !== "dismissed" && (subject !== "person" || decision === "removed");
}

/** Does what a decision changes, and ends the deals or leaves their end to a second admin. */
async function endTheirDeals(
  services: ModerationServices,
  admin: Admin,
  action: AdminAction<MoneyAct>,
  { ended, words, changes, now }: { ended: SQL | null; words: string; changes: Statement[]; now: number },
): Promise<"done" | "deals_wait" | "stale"> {
  const { action: act, subject } = action;
  const weighed = await weighAct(services, admin.id, { act, subject, moves: dealMoves(ended), input: {} });
  const waits = weighed.step === "propose";
  const proposalId = crypto.randomUUID();
  const may = waits ? holdInstead(admin, { id: proposalId, about: subject, ended, words, now }) : weighed;
  const ending = waits ? tellHeld("held", sql`${proposalId}`, now) : ended ? [scheduleEnd(ended, now)] : [];
  const done = await performMoneyAction(services, admin, action, may, [...changes, ...ending]);
  return done ? (waits ? "deals_wait" : "done") : "stale";
}

/** Opens a case that nobody reported. Aborts the batch if somebody reports it at this moment. */
function openCase({ id, subject, subjectId, reported, appealToken }: CaseFacts, now: number): Statement[] {
  return [
    build
      .insert(moderationCases)
      .values({ id, subject, subjectId, reportedId: reported.id, appealToken, createdAt: now, updatedAt: now })
      .onConflictDoNothing(),
    expectOneChange(),
    ...copyCases(subject, idList(id), now),
  ];
}

/**
 * The deals would move more than one admin may move alone. The person is stopped at once all the same, and the deals
 * wait: their clocks stand still until a second admin confirms that they end, or until the decision is undone.
 */
function holdInstead(
  admin: Admin,
  { id, about, ended, words, now }: { id: string; about: string; ended: SQL | null; words: string; now: number },
): MayAct {
  const proposal = { act: "deals_ended", subject: about, moves: dealMoves(ended), input: {} } as const;
  return {
    guards: [
      ...proposeStatements(admin.id, proposal, { id, reasons: words, now }),
      ...(ended ? [holdDeals(ended, id, now)] : []),
    ],
  };
}

/** What a decision changes besides its case. */
function effects(
  services: ModerationServices,
  admin: Admin,
  { subject, subjectId, reported }: CaseFacts,
  { decision, statement, now }: { decision: CaseDecision; statement: string | null; now: number },
): Statement[] {
  const note = (action: FreeAct, about: string) =>
    guardAndAudit(services, admin, { action, subject: about, detail: statement });
  if (decision === "dismissed")
    return subject === "listing" ? [clearReported(subjectId), ...publishHeld(subjectId, now)] : [];
  const account =
    decision === "suspended"
      ? [
          expectThat(not(hasRow(profiles, and(eq(profiles.id, reported.id), isNotNull(profiles.adminRole))))),
          suspendAccount(reported.id, now),
          ...endClosedOffers(reported.id, now),
          ...takeDownWith(reported.id, now),
          ...note("user_suspended", `user:${reported.id}`),
        ]
      : [];
  switch (subject) {
    case "person":
      if (decision !== "removed") return account;
      return [
        build.update(profiles).set({ photoUrl: null, updatedAt: now }).where(eq(profiles.id, subjectId)),
        build.update(shops).set({ bannerUrl: null, logoUrl: null, updatedAt: now }).where(eq(shops.id, subjectId)),
        copyEdited(PERSON_COPY, idList(subjectId), now),
        ...note("pictures_removed", `user:${subjectId}`),
      ];
    case "listing": {
      // A listing that went down with its seller stays down for this case from now on.
      const isFree = or(
        isNull(products.suspendedAt),
        isNotNull(products.heldFor),
        eq(products.suspendedAt, SELLER_SUSPENDED_AT),
      );
      return [
        updateListings(
          { suspendedAt: now, heldFor: null, updatedAt: now },
          and(eq(products.id, subjectId), isNull(products.deletedAt), isFree),
        ),
        ...afterListingsChanged(idList(subjectId), now),
        ...note("listing_suspended", `product:${subjectId}`),
        ...account,
      ];
    }
    case "review":
    case "reply":
    case "message":
      return [
        ...changeRemoval(subject, subjectId, { from: null, to: now }),
        ...note(`${subject}_removed`, `${subject === "message" ? subject : "review"}:${subjectId}`),
        ...account,
      ];
  }
}

/**
 * Publishes a listing that was held. If its seller is suspended, it comes back with the seller. A week of being
 * featured that waits for the seller's next listing begins now.
 */
function publishHeld(productId: string, now: number): Statement[] {
  const seller = build.select({ id: products.sellerId }).from(products).where(eq(products.id, productId));
  return [
    updateListings(
      { suspendedAt: sql`${SELLER_SUSPENDED_AT}`, heldFor: null, updatedAt: now },
      and(eq(products.id, productId), isNotNull(products.heldFor), isNull(products.deletedAt)),
    ),
    ...afterListingsChanged(idList(productId), now),
    ...beginWeeks(whoSells(seller), now),
  ];
}

/** Lifts the reports, and then tells whoever made one what that lets go, and the person concerned what was decided. */
function liftReportsAndTell(
  facts: CaseFacts,
  {
    decision,
    statement,
    endsDeals,
    now,
  }: { decision: CaseDecision; statement: string; endsDeals: boolean; now: number },
): Statement[] {
  const { id, subject, subjectId, title, appealToken, reported } = facts;
  const freed = freedJson(caseFrees(id, now), reports.reporterId);
  const toReporters = [
    endsDeals ? liftIdleReportsOf(id, now) : liftReportsOf(id, now),
    ...tellReporters(id, { kind: "case_outcome", data: { subject, decision } }, now, freed),
  ];
  if (decision === "dismissed" && !facts.isHeld) return toReporters;
  const told: Notification =
    decision === "dismissed"
      ? { kind: "held_listing_published", data: { count: 1, listings: [{ productId: subjectId, productName: title }] } }
      : { kind: "case_decided", data: { subject, decision, title, statement, appealToken } };
  return [...toReporters, ...notify(reported, told, `case_decided:${id}`, now)];
}

async function tellPages(services: ModerationServices, facts: CaseFacts, decision: CaseDecision): Promise<void> {
  const { subject, reported, title, isHeld } = facts;
  if (decision === "dismissed" && !isHeld) return;
  await reloadConversation(services, facts.recipientId);
  if (decision === "suspended") return services.notifier.endSessions(reported.id);
  const notice =
    decision === "dismissed"
      ? `${title} is published now.`
      : `${decisionWords(subject, decision)} We've emailed you the reason.`;
  await services.notifier.send(reported.id, { type: "account", notice });
}
