import {
  and,
  asc,
  desc,
  eq,
  exists,
  gt,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  max,
  ne,
  not,
  or,
  type SQL,
  type SQLWrapper,
  sql,
} from "drizzle-orm";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import { partyJson, readParty } from "#app/accounts/party.server.ts";
import type { Party } from "#app/notifications/recipient-rules.ts";
import { endClosedOffers } from "#app/catalogue/end-offers.server.ts";
import { afterListingsChanged } from "#app/catalogue/listing-effects.server.ts";
import { updateListings } from "#app/catalogue/write-listings.server.ts";
import { expectOneChange, expectThat, holds, runBatch, type Statement } from "#app/db/batch.ts";
import { asBoolean, build, hasRow, idList, named, pick } from "#app/db/build.ts";
import type { Database, Store } from "#app/db/client.ts";
import {
  adminProposals,
  blocks,
  copies,
  credentials,
  dealHolds,
  issueReports,
  messages,
  moderationCases,
  orderItems,
  products,
  profiles,
  reports,
  reviews,
  shops,
} from "#app/db/schema.ts";
import { upheld } from "#app/db/cases.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ITEM } from "#app/db/states/item.ts";
import { CASE, type CaseDecision, type CaseState, type CaseSubject } from "#app/db/states/moderation.ts";
import { IS_OPEN_PROPOSAL, voidProposal } from "#app/db/void-proposal.ts";
import { caseTitle } from "#app/moderation/case-columns.server.ts";
import { tellHeld } from "#app/deals/tell-held.server.ts";
import { type DecideRefusal, refuseDecider } from "#app/moderation/moderation-rules.ts";
import { decisionWords } from "#app/moderation/moderation-texts.ts";
import { endDeals, keepDeals } from "#app/orders/deal-records.server.ts";
import { endHeldDeals, holdDeals, liftHolds } from "#app/orders/deal-holds.server.ts";
import { liftIdleReportsOf, liftReportsOf } from "#app/payments/open-report.server.ts";
import type { Notification } from "#app/notifications/kinds.ts";
import { notify, notifyEach } from "#app/notifications/notify.server.ts";
import type { Notifier } from "#app/platform/live-events.ts";
import { afterReviewsChanged, reviewedIn } from "#app/reviews/review-effects.server.ts";
import type { FreeAct, MoneyAct } from "./act-rules.ts";
import { caseFrees, caseMoves, caseMovesSince, dealMoves, freedJson, heldMoves } from "./act-moves.server.ts";
import { rolesFor } from "./role-rules.ts";
import { copyCases, copyEdited, photosShown } from "#app/db/copies.ts";
import type { PhotoServices } from "#app/catalogue/photos/photos.server.ts";
import { moveRemovedPhotos, removePhotos, restorePhotos } from "#app/catalogue/photos/removed-photos.server.ts";
import { isAdmin, type MayAct, mayNotConfirm, proposeStatements, weighAct } from "./acts.server.ts";
import {
  type Admin,
  type AdminAction,
  auditStatements,
  performAdminAction,
  performMoneyAction,
} from "./admin-pages.server.ts";
import { performOrPropose } from "./propose-act.server.ts";
import {
  endsOwnDeal,
  itemsOfListing,
  itemsOfPerson,
  restoreListingsOf,
  suspendAccount,
  takeDownWith,
} from "./suspension-statements.server.ts";

interface ModerationServices extends Store {
  notifier: Notifier;
}

/** A decision also moves the photos of what it takes down. */
export interface CaseServices extends ModerationServices, PhotoServices {
  log(event: { event: string } & Record<string, unknown>): void;
}

/** What a decision needs to know about its case. */
interface CaseFacts {
  id: string;
  subject: CaseSubject;
  subjectId: string;
  title: string;
  state: CaseState;
  decision: CaseDecision | null;
  decidedBy: string | null;
  /** Ms since 1970. */
  decidedAt: number | null;
  appealToken: string;
  /** It isn't in the database yet: its decision opens it. */
  isNew: boolean;
  isHeld: boolean;
  /** The person concerned. */
  reported: Party & { isAdmin: boolean };
  /** Who got the message; null where the case is about something else. */
  recipientId: string | null;
  /** The ids of the admins among the reporters. */
  reporterIds: string[];
  /** The ids of the admins who have a quarrel of their own with the person concerned. */
  relatedIds: string[];
  /** The ids of all admins who can log in. */
  admins: string[];
}

/** The admins who can log in, and whose role includes deciding cases. */
export const ADMINS = build
  .select({ id: profiles.id })
  .from(profiles)
  .innerJoin(credentials, eq(credentials.id, profiles.id))
  .where(and(inArray(profiles.adminRole, rolesFor("case_noted")), isNull(credentials.suspendedAt)));

/** A stored case, as `readFacts` takes it. */
function storedCase(where: SQL | undefined) {
  const { id, subject, subjectId, state, decision, decidedBy, decidedAt, appealToken, reportedId, copyId } =
    moderationCases;
  const isNew = asBoolean(sql`0`).as("is_new");
  return build
    .select({ id, subject, subjectId, state, decision, decidedBy, decidedAt, appealToken, reportedId, copyId, isNew })
    .from(moderationCases)
    .where(where);
}

/** The open case about a person or a listing; without one, a new case that its decision opens. */
function caseByHand(subject: "person" | "listing", subjectId: string) {
  const isOpen = and(
    eq(moderationCases.subject, subject),
    eq(moderationCases.subjectId, subjectId),
    stateIs(moderationCases.state, CASE.isOpen),
  );
  const opened = (reportedId: SQLiteColumn) => ({
    id: sql<string>`${crypto.randomUUID()}`.as("id"),
    subject: sql<CaseSubject>`${subject}`.as("subject"),
    subjectId: sql<string>`${subjectId}`.as("subject_id"),
    state: sql<CaseState>`${"open" satisfies CaseState}`.as("state"),
    decision: sql<CaseDecision | null>`NULL`.as("decision"),
    decidedBy: sql<string | null>`NULL`.as("decided_by"),
    decidedAt: sql<number | null>`NULL`.as("decided_at"),
    appealToken: sql<string>`lower(hex(randomblob(16)))`.as("appeal_token"),
    reportedId: sql<string>`${reportedId}`.as("reported_id"),
    copyId: sql<number | null>`NULL`.as("copy_id"),
    isNew: asBoolean(sql`1`).as("is_new"),
  });
  const isFirst = not(hasRow(moderationCases, isOpen));
  return storedCase(isOpen).unionAll(
    subject === "person"
      ? build
          .select(opened(credentials.id))
          .from(credentials)
          .where(and(eq(credentials.id, subjectId), isFirst))
      : build
          .select(opened(products.sellerId))
          .from(products)
          .where(and(eq(products.id, subjectId), isNull(products.deletedAt), isFirst)),
  );
}

/**
 * The admins who have a quarrel of their own with a person: one has blocked the other, or reported an order of theirs
 * and nobody has closed the report yet.
 */
export function relatedAdmins(personId: string | SQLWrapper) {
  const between = (one: SQLiteColumn, other: SQLiteColumn) =>
    or(and(eq(one, profiles.id), eq(other, personId)), and(eq(one, personId), eq(other, profiles.id)));
  return build
    .select({ id: profiles.id })
    .from(profiles)
    .where(
      and(
        isNotNull(profiles.adminRole),
        or(
          hasRow(blocks, between(blocks.userId, blocks.blockedId)),
          hasRow(
            issueReports,
            and(eq(issueReports.status, "open"), between(issueReports.userId, issueReports.sellerId)),
          ),
        ),
      ),
    );
}

/** The admins who have ever reported something of a person. */
function reportersOf(personId: string) {
  const reported = build
    .select({ id: reports.id })
    .from(moderationCases)
    .innerJoin(reports, eq(reports.caseId, moderationCases.id))
    .where(and(eq(moderationCases.reportedId, personId), eq(reports.reporterId, profiles.id)));
  return build
    .select({ id: profiles.id })
    .from(profiles)
    .where(and(isNotNull(profiles.adminRole), exists(reported)));
}

/** The admins who reported a case. */
function reportersIn(caseId: string) {
  return build
    .select({ id: profiles.id })
    .from(reports)
    .innerJoin(profiles, eq(profiles.id, reports.reporterId))
    .where(and(eq(reports.caseId, caseId), isNotNull(profiles.adminRole)));
}

/**
 * The facts of a case. `isByHand`: whoever has reported anything of this person counts as a reporter, because they chose the
 * way around the case of their report.
 */
async function readFacts(
  db: Database,
  source: ReturnType<typeof storedCase> | ReturnType<typeof caseByHand>,
  { isByHand = false } = {},
): Promise<CaseFacts | null> {
  const k = source.as("k");
  const recipient = build.select({ id: messages.recipientId }).from(messages).where(eq(messages.id, k.subjectId));
  const isHeld = hasRow(
    products,
    and(
      eq(k.subject, "listing"),
      eq(products.id, k.subjectId),
      isNotNull(products.heldFor),
      isNull(products.deletedAt),
    ),
  );
  const [row] = await db
    .select({
      ...pick(k, "id", "subject", "subjectId"),
      title: caseTitle(),
      ...pick(k, "state", "decision", "decidedBy", "decidedAt", "appealToken", "isNew"),
      isHeld: asBoolean(isHeld),
      recipientId: sql<string | null>`CASE WHEN ${k.subject} = 'message' THEN ${recipient} END`,
      reported: partyJson(sql`${k.reportedId}`).mapWith(readParty),
      adminRole: profiles.adminRole,
    })
    .from(k)
    .leftJoin(profiles, eq(profiles.id, k.reportedId));
  if (!row) return null;
  const { reported, adminRole, title, ...facts } = row;
  const [reporters, related, admins] = await runBatch(db, [
    isByHand ? reportersOf(reported.id) : reportersIn(facts.id),
    relatedAdmins(reported.id),
    ADMINS,
  ]);
  return {
    ...facts,
    title: title ?? "",
    reported: { ...reported, isAdmin: adminRole !== null },
    reporterIds: reporters.map(({ id }) => id),
    relatedIds: related.map(({ id }) => id),
    admins: admins.map(({ id }) => id),
  };
}

function findCase(db: Database, caseId: string): Promise<CaseFacts | null> {
  return readFacts(db, storedCase(eq(moderationCases.id, caseId)));
}

function refusalFor(admin: Admin, { reported, admins, ...parties }: CaseFacts): DecideRefusal | null {
  return refuseDecider(admin.id, { ...parties, reportedId: reported.id }, admins);
}

export type CaseResult =
  /**
   * `nextId`: the case to decide next; null when none is left. `waits`: the end of the deals, or the whole decision, waits for a
   * second admin.
   */
  | { ok: true; nextId: string | null; waits?: "deals_wait" | "proposed" | undefined }
  /**
   * protected: an admin can't be suspended. own_money: it would end a deal of the admin. stale: another admin was faster,
   * somebody has reported it since, or the person has deleted their account.
   */
  | { ok: false; code: DecideRefusal | "not_found" | "protected" | "own_money" | "stale" };

interface Decided {
  decision: CaseDecision;
  statement: string;
  seen?: number | undefined;
}

/**
 * Decides an open case in one batch: what is reported, the audit log, and the emails to the reporters and to the person
 * concerned. A held listing is published when its case is dismissed. `seen`: when what the admin saw, the case or its listing, was
 * last changed, ms. What a seller has changed since then isn't published, and who has reported since then isn't answered (`stale`).
 */
export async function decideCase(
  services: CaseServices,
  admin: Admin,
  input: { caseId: string; decision: CaseDecision; statement: string; seen?: number },
): Promise<CaseResult> {
  const facts = await findCase(services.db, input.caseId);
  return facts ? decide(services, admin, facts, input) : { ok: false, code: "not_found" };
}

/**
 * Suspends a person or takes a listing down without a report: it decides the open case about it, or opens one. So the same
 * rules decide, and the person concerned can appeal.
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
      ? expectThat(hasRow(credentials, and(eq(credentials.id, subjectId), isNull(credentials.suspendedAt))))
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
  { decision, statement: words, seen }: Decided,
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
      .where(and(isStill(facts, CASE.isOpen), seen === undefined ? undefined : lte(moderationCases.updatedAt, seen))),
    expectOneChange(),
    ...(decision === "dismissed" ? expectSeen(facts, seen) : []),
    // Before what shows them forgets them.
    ...(removesPhotos(facts, decision) ? [removePhotos(facts.id, photosShown(subject, subjectId, facts.id))] : []),
    ...effects(services, admin, facts, { decision, statement, now }),
    ended ? liftIdleReportsOf(facts.id, now) : liftReportsOf(facts.id, now),
    ...tellDecision(facts, decision, statement ?? "", now),
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

/** Whether a decision takes down what shows the photos of its subject. Of a person, only the removal of their pictures does. */
function removesPhotos({ subject }: CaseFacts, decision: CaseDecision): boolean {
  return decision !== "dismissed" && (subject !== "person" || decision === "removed");
}

/** The decision stands whatever becomes of this: the job of every minute moves what is left. */
async function movePhotosNow(services: CaseServices): Promise<void> {
  try {
    await moveRemovedPhotos(services);
  } catch (error) {
    services.log({ event: "photos_not_moved", level: "error", error: String(error).slice(0, 200) });
  }
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
  const ending = waits ? tellHeld("held", sql`${proposalId}`, now) : ended ? [endDeals(ended, now)] : [];
  const done = await performMoneyAction(services, admin, action, may, [...changes, ...ending]);
  return done ? (waits ? "deals_wait" : "done") : "stale";
}

function isStill({ id }: CaseFacts, state: Parameters<typeof stateIs>[1]): SQL | undefined {
  return and(eq(moderationCases.id, id), stateIs(moderationCases.state, state));
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
 * The deals would move more than one admin may move alone. The person is stopped at once all the same, and the deals wait:
 * their clocks stand still until a second admin confirms that they end, or until the decision is undone.
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

/** The deals that wait because of a case end. `stale`: nothing waits any more, or it has changed. */
export async function endWaitingDeals(
  services: ModerationServices,
  admin: Admin,
  proposal: { id: string; subject: string; reasons: string },
): Promise<{ ok: true } | { ok: false; code: DecideRefusal | "own_money" | "stale" }> {
  const { facts, refusal } = await refuseAboutDeals(services, admin, proposal);
  if (refusal) return { ok: false, code: refusal };
  const moves = heldMoves(proposal.id);
  const weighed = await weighAct(services, admin.id, {
    act: "deals_ended",
    subject: proposal.subject,
    moves,
    input: {},
  });
  if (weighed.step === "propose" || !facts) return { ok: false, code: "stale" };
  const now = services.now();
  const action = { action: "deals_ended", subject: proposal.subject, detail: proposal.reasons } as const;
  const done = await performMoneyAction(services, admin, action, weighed, [
    expectThat(hasRow(dealHolds, eq(dealHolds.proposalId, proposal.id))),
    ...endHeldDeals(sql`${proposal.id}`, now),
  ]);
  return done ? { ok: true } : { ok: false, code: "stale" };
}

/** The deals that wait because of a case go on by their usual clocks, although the decision stays. Who may end them may do it. */
export async function keepWaitingDeals(
  services: ModerationServices,
  admin: Admin,
  proposal: { id: string; adminId: string; subject: string; reasons: string },
): Promise<{ ok: true } | { ok: false; code: DecideRefusal | "own_money" | "stale" }> {
  const { refusal } = await refuseAboutDeals(services, admin, proposal);
  if (refusal) return { ok: false, code: refusal };
  const now = services.now();
  const done = await performAdminAction(
    services,
    admin,
    { action: "act_declined", subject: proposal.subject, detail: proposal.reasons },
    [
      expectThat(isAdmin(admin.id, rolesFor("deals_ended"))),
      expectThat(not(mayNotConfirm(admin.id, proposal.adminId, now))),
      // Whoever made the decision can only undo it: otherwise the clocks would end the deals after one admin's act.
      build
        .update(adminProposals)
        .set({ state: "declined", decidedBy: admin.id, decidedAt: now })
        .where(and(eq(adminProposals.id, proposal.id), IS_OPEN_PROPOSAL, ne(adminProposals.adminId, admin.id))),
      expectOneChange(),
      ...tellHeld("resumed", sql`${proposal.id}`, now),
      ...liftHolds(sql`${proposal.id}`, now),
    ],
  );
  return done ? { ok: true } : { ok: false, code: "stale" };
}

/** Why an admin decides nothing about the deals that wait because of a case. Whoever decided the case may not confirm it. */
async function refuseAboutDeals(
  services: ModerationServices,
  admin: Admin,
  { id, subject }: { id: string; subject: string },
): Promise<{ facts: CaseFacts | null; refusal: DecideRefusal | "own_money" | "stale" | null }> {
  const facts = await findCase(services.db, subject.replace(/^case:/, ""));
  if (!facts) return { facts, refusal: "stale" };
  const held = build.select({ id: dealHolds.orderItemId }).from(dealHolds).where(eq(dealHolds.proposalId, id));
  if (await endsOwnDeal(services, admin.id, held.getSQL())) return { facts, refusal: "own_money" };
  return { facts, refusal: refusalFor(admin, { ...facts, decidedBy: null }) };
}

/** What a decision changes besides its case. */
function effects(
  services: ModerationServices,
  admin: Admin,
  { subject, subjectId, reported }: CaseFacts,
  { decision, statement, now }: { decision: CaseDecision; statement: string | null; now: number },
): Statement[] {
  const note = (action: FreeAct, about: string) =>
    auditStatements(services, admin, { action, subject: about, detail: statement });
  if (decision === "dismissed") return subject === "listing" ? publishHeld(subjectId, now) : [];
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
        copyEdited("person", idList(subjectId), now),
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

/** Removes something that was written, or shows it again. `from` and `to`: since when it is removed, ms; null where it is shown. */
function changeRemoval(
  subject: "review" | "reply" | "message",
  id: string,
  { from, to }: { from: number | null; to: number | null },
): Statement[] {
  const isThis = (key: SQLiteColumn, removedAt: SQLiteColumn) => and(eq(key, id), sql`${removedAt} IS ${from}`);
  if (subject === "message")
    return [build.update(messages).set({ removedAt: to }).where(isThis(messages.id, messages.removedAt))];
  // A reply has the id of its review.
  if (subject === "reply")
    return [build.update(reviews).set({ replyRemovedAt: to }).where(isThis(reviews.id, reviews.replyRemovedAt))];
  return [
    build.update(reviews).set({ removedAt: to }).where(isThis(reviews.id, reviews.removedAt)),
    ...afterReviewsChanged(reviewedIn(eq(reviews.id, id))),
  ];
}

/** Aborts the batch if the hidden listing of a case was changed after `seen`, ms. */
function expectSeen({ subject, subjectId }: CaseFacts, seen: number | undefined): Statement[] {
  if (subject !== "listing" || seen === undefined) return [];
  const isChanged = and(
    eq(products.id, subjectId),
    isNotNull(products.suspendedAt),
    isNull(products.deletedAt),
    gt(products.updatedAt, seen),
  );
  return [expectThat(not(hasRow(products, isChanged)))];
}

/** Publishes a listing that was held. If its seller is suspended, it comes back with the seller. */
function publishHeld(productId: string, now: number): Statement[] {
  return [
    updateListings(
      { suspendedAt: sql`${SELLER_SUSPENDED_AT}`, heldFor: null, updatedAt: now },
      and(eq(products.id, productId), isNotNull(products.heldFor), isNull(products.deletedAt)),
    ),
    ...afterListingsChanged(idList(productId), now),
  ];
}

const SELLER_SUSPENDED_AT = build
  .select({ at: credentials.suspendedAt })
  .from(credentials)
  .where(eq(credentials.id, products.sellerId));

function tellDecision(facts: CaseFacts, decision: CaseDecision, statement: string, now: number): Statement[] {
  const { id, subject, subjectId, title, appealToken, reported } = facts;
  const freed = freedJson(caseFrees(id, now), reports.reporterId);
  const toReporters = tellReporters(id, { kind: "case_outcome", data: { subject, decision } }, now, freed);
  if (decision === "dismissed" && !facts.isHeld) return toReporters;
  const told: Notification =
    decision === "dismissed"
      ? { kind: "held_listing_published", data: { count: 1, listings: [{ productId: subjectId, productName: title }] } }
      : { kind: "case_decided", data: { subject, decision, title, statement, appealToken } };
  return [...toReporters, ...notify(reported, told, `case_decided:${id}`, now)];
}

/**
 * Tells everybody who reported a case, each of their own money (`freed`). It doesn't grow with them, because any number of people
 * can report something.
 */
function tellReporters(
  caseId: string,
  { kind, data }: Extract<Notification, { kind: "case_outcome" | "report_undone" }>,
  now: number,
  freed: SQL = sql`'[]'`,
): Statement[] {
  const reporters = build
    .select({
      userId: named(reports.reporterId, "userId"),
      // A case can have one outcome after another.
      key: sql`${`${kind}:${caseId}:${now}:`} || ${reports.reporterId}`.as("key"),
      data: sql`json_set(${JSON.stringify(data)}, '$.freed', json(${freed}))`.as("data"),
    })
    .from(reports)
    .where(eq(reports.caseId, caseId));
  return notifyEach(kind, reporters.getSQL(), now);
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
  await services.notifier.notify(reported.id, { type: "account", notice });
}

/** Makes the open pages of the person who got a message show that it is removed, or restored. */
async function reloadConversation(services: ModerationServices, recipientId: string | null): Promise<void> {
  if (recipientId !== null) await services.notifier.notify(recipientId, { type: "account" });
}

/**
 * Answers an appeal, once. Granting it undoes exactly what the decision did: each change carries the decision's time.
 * Deals that ended stay ended. `seen` as in `decideCase`.
 */
export async function answerAppeal(
  services: CaseServices,
  admin: Admin,
  input: { caseId: string; granted: boolean; answer: string; seen?: number },
): Promise<CaseResult> {
  const facts = await findCase(services.db, input.caseId);
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
      ...(granted ? [...expectSeen(facts, input.seen), ...undo(services, admin, facts, now)] : []),
      ...(granted ? tellReporters(facts.id, { kind: "report_undone", data: { subject: facts.subject } }, now) : []),
      ...notify(facts.reported, { kind: "appeal_answered", data }, `appeal_answered:${facts.id}`, now),
    ],
  );
  if (!done) return { ok: false, code: "stale" };
  if (granted) {
    await movePhotosNow(services);
    await reloadConversation(services, facts.recipientId);
    await services.notifier.notify(facts.reported.id, { type: "account", notice: "We've undone our decision." });
  }
  return { ok: true, nextId: await findNextCase(services.db, admin.id, facts.id) };
}

function closedBy(admin: Admin, now: number) {
  return { state: "closed", appealDecidedBy: admin.id, closedAt: now } as const;
}

/**
 * Takes back a decision that nobody has appealed, by hand: the case is closed as undone. `at`: when the account or listing
 * was suspended. case: another admin decided it, or its appeal waits or is over, so only that case undoes it.
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
  await services.notifier.notify(facts.reported.id, { type: "account", notice: "We've undone our decision." });
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
  return [...tellHeld("resumed", proposals, now), ...liftHolds(proposals, now), voidProposal(subject, now)];
}

/** The same where the listing of this case stays down: its own deals go on waiting, because they would have ended without the account, too. */
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
    ...tellHeld("resumed", proposals, now, kept),
    ...liftHolds(proposals, now, kept),
    // What is free needs no second admin.
    ...endHeldDeals(proposalsAbout(about, withoutMoney), now),
    build
      .update(adminProposals)
      .set({ state: "void", decidedAt: now })
      .where(and(eq(adminProposals.subject, about), withoutMoney)),
  ];
}

/**
 * The account comes back, if this case suspended it and no other case that stands did. Listings that a case took down stay
 * down, unless it is undone already.
 */
function undoSuspension(
  services: ModerationServices,
  admin: Admin,
  { id, reported, decision, decidedAt }: CaseFacts,
  now: number,
): Statement[] {
  if (decision !== "suspended" || decidedAt === null) return [];
  // From then on the suspension is that case's, whose appeal ends it.
  const suspendedAt = otherDecision(id, and(eq(u.reportedId, reported.id), eq(u.decision, "suspended")));
  const isSuspended = and(
    eq(credentials.id, reported.id),
    eq(credentials.suspendedAt, decidedAt),
    not(hasRow(profiles, and(eq(profiles.id, reported.id), isNotNull(profiles.deletedAt)))),
  );
  const isRestored = hasRow(credentials, and(isSuspended, sql`${suspendedAt} IS NULL`));
  return [
    ...auditStatements(services, admin, { action: "user_restored", subject: `user:${reported.id}` }, isRestored),
    ...restoreListingsOf(reported.id, { from: decidedAt, to: suspendedAt }, now),
    build.update(credentials).set({ suspendedAt, updatedAt: now }).where(isSuspended),
    keepDeals(itemsOfPerson(reported.id)),
  ];
}

/** SQL: when another case than `caseId` that counts was decided; null where there is none. */
function otherDecision(caseId: string, isAbout?: SQL): SQL {
  return sql`(${build
    .select({ at: max(u.decidedAt) })
    .from(u)
    .where(and(isAbout, upheld(u), ne(u.id, caseId)))})`;
}

function undo(services: ModerationServices, admin: Admin, facts: CaseFacts, now: number): Statement[] {
  return [...undoSubject(services, admin, facts, now), restorePhotos(facts.id, now), ...liftWaiting(facts, now)];
}

function undoSubject(services: ModerationServices, admin: Admin, facts: CaseFacts, now: number): Statement[] {
  const { subject, subjectId, decision, decidedAt: at } = facts;
  if (at === null) return [];
  const note = (action: FreeAct, about: string) => auditStatements(services, admin, { action, subject: about });
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
        copyEdited("person", idList(subjectId), now),
        ...note("pictures_restored", `user:${subjectId}`),
      ];
    }
    case "listing": {
      const otherTakedown = otherDecision(facts.id, and(eq(u.subject, "listing"), eq(u.subjectId, subjectId)));
      return [
        // If another case took it down, too, it stays. If the seller is suspended for something else, it comes back with the account.
        updateListings(
          { suspendedAt: sql`COALESCE(${otherTakedown}, ${SELLER_SUSPENDED_AT})`, updatedAt: now },
          and(eq(products.id, subjectId), isNull(products.deletedAt), eq(products.suspendedAt, at)),
        ),
        ...afterListingsChanged(idList(subjectId), now),
        ...note("listing_restored", `product:${subjectId}`),
        ...account,
        keepDeals(itemsOfListing(subjectId)),
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

const k = alias(moderationCases, "k");
const u = alias(moderationCases, "u");

/** The order of the queue: the most harm first, then the oldest. */
export const QUEUE_ORDER = [desc(k.harm), asc(k.createdAt), asc(k.id)];

type Value<T> = T | SQLWrapper;

/** SQL: cases after a place in the queue. */
export function afterInQueue({
  harm,
  createdAt,
  id,
}: Record<"harm" | "createdAt", Value<number>> & { id: Value<string> }): SQL {
  return sql`(${k.harm} < ${harm} OR ${k.harm} = ${harm} AND (${k.createdAt}, ${k.id}) > (${createdAt}, ${id}))`;
}

/** The next case in the queue in which this admin isn't involved, after the one with `caseId`; null at the end. */
async function findNextCase(db: Database, adminId: string, caseId: string): Promise<string | null> {
  const done = moderationCases;
  const [next] = await db
    .select({ id: k.id })
    .from(k)
    .innerJoin(done, eq(done.id, caseId))
    .where(
      and(
        stateIs(k.state, CASE.awaitsTeam),
        ne(k.reportedId, adminId),
        sql`${k.decidedBy} IS NOT ${adminId}`,
        not(hasRow(reports, and(eq(reports.caseId, k.id), eq(reports.reporterId, adminId)))),
        afterInQueue(done),
      ),
    )
    .orderBy(...QUEUE_ORDER)
    .limit(1);
  return next?.id ?? null;
}
