import { type SQL, sql } from "drizzle-orm";
import { expectOneChange, expectThat, rowsOf, runBatch, type Statement } from "#app/db/batch.ts";
import type { Database, Store } from "#app/db/client.ts";
import { queueEffect, queueEffects } from "#app/db/outbox.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ITEM } from "#app/db/states/item.ts";
import { CASE, type CaseDecision, type CaseState, type CaseSubject } from "#app/db/states/moderation.ts";
import { voidProposal } from "#app/db/void-proposal.ts";
import { caseTitle } from "#app/moderation/case-columns.server.ts";
import { holdMails } from "#app/deals/hold-mails.server.ts";
import { DECISIONS, type DecideRefusal, refuseDecider } from "#app/moderation/moderation-rules.ts";
import { decisionWords } from "#app/moderation/moderation-texts.ts";
import { endDeals, endHeldDeals, holdDeals, keepDeals, liftHolds } from "#app/orders/deal-records.server.ts";
import { liftIdleReportsOf, liftReportsOf } from "#app/orders/open-report.server.ts";
import type { Mail, MailOf } from "#app/platform/mailer.ts";
import type { Notifier } from "#app/platform/live-events.ts";
import type { FreeAct, MoneyAct } from "./act-rules.ts";
import { caseFrees, caseMoves, dealMoves, freedJson, heldMoves } from "./act-moves.server.ts";
import { isAdmin, type MayAct, proposeStatements, weighAct } from "./acts.server.ts";
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
  /** The person concerned; `email` is null when the account is deleted. */
  reported: { id: string; name: string; email: string | null; isAdmin: boolean };
  /** Who got the message; null where the case is about something else. */
  recipientId: string | null;
  /** The ids of the admins among the reporters. */
  reporterIds: string[];
  /** The ids of the admins who have a quarrel of their own with the person concerned. */
  relatedIds: string[];
  /** The ids of all admins who can log in. */
  admins: string[];
}

/** SQL: the admins who can log in. */
export const ADMINS = sql`SELECT p.id FROM profiles p JOIN credentials c ON c.id = p.id WHERE p.is_admin = 1 AND c.suspended_at IS NULL`;

/** SQL: a stored case, as `readFacts` takes it. */
function storedCase(where: SQL): SQL {
  return sql`SELECT id, subject, subject_id, state, decision, decided_by, decided_at, appeal_token, reported_id, copy_id, 0 AS is_new FROM moderation_cases WHERE ${where}`;
}

/** SQL: the open case about a person or a listing; without one, a new case that its decision opens. */
function caseByHand(subject: "person" | "listing", subjectId: string): SQL {
  const isOpen = sql`subject = ${subject} AND subject_id = ${subjectId} AND ${stateIs("state", CASE.isOpen)}`;
  const concerned =
    subject === "person"
      ? sql`SELECT id AS reported_id FROM credentials WHERE id = ${subjectId}`
      : sql`SELECT seller_id AS reported_id FROM products WHERE id = ${subjectId} AND deleted_at IS NULL`;
  return sql`${storedCase(isOpen)} UNION ALL SELECT ${crypto.randomUUID()}, ${subject}, ${subjectId}, 'open', NULL, NULL, NULL, lower(hex(randomblob(16))), reported_id, NULL, 1
    FROM (${concerned}) WHERE NOT EXISTS (SELECT 1 FROM moderation_cases WHERE ${isOpen})`;
}

/**
 * SQL: the admins who have a quarrel of their own with a person: one has blocked the other, or reported an order of theirs
 * and nobody has closed the report yet.
 */
export function relatedAdmins(personId: string | SQL): SQL {
  return sql`SELECT p.id FROM profiles p WHERE p.is_admin = 1 AND (
    EXISTS (SELECT 1 FROM blocks b WHERE b.user_id = p.id AND b.blocked_id = ${personId} OR b.user_id = ${personId} AND b.blocked_id = p.id)
    OR EXISTS (SELECT 1 FROM issue_reports r WHERE r.status = 'open' AND (r.user_id = p.id AND r.seller_id = ${personId} OR r.user_id = ${personId} AND r.seller_id = p.id)))`;
}

/** SQL: the admins who have ever reported something of a person. */
function reportersOf(personId: SQL): SQL {
  return sql`SELECT p.id FROM profiles p WHERE p.is_admin = 1
    AND EXISTS (SELECT 1 FROM moderation_cases m JOIN reports r ON r.case_id = m.id WHERE m.reported_id = ${personId} AND r.reporter_id = p.id)`;
}

/**
 * The facts of a case, given SQL of its row. `isByHand`: whoever has reported anything of this person counts as a reporter,
 * because they chose the way around the case of their report.
 */
async function readFacts(db: Database, source: SQL, { isByHand = false } = {}): Promise<CaseFacts | null> {
  const [row] = await db.all<
    Omit<CaseFacts, "reported" | "reporterIds" | "relatedIds" | "admins" | "isHeld" | "isNew"> & {
      reportedId: string;
      name: string;
      email: string | null;
      isAdmin: number;
      isHeld: number;
      isNew: number;
    }
  >(
    sql`SELECT k.id, k.subject, k.subject_id AS subjectId, COALESCE(${caseTitle()}, '') AS title, k.state, k.decision, k.decided_by AS decidedBy,
        k.decided_at AS decidedAt, k.appeal_token AS appealToken, k.is_new AS isNew, k.reported_id AS reportedId, COALESCE(p.full_name, '') AS name,
        CASE WHEN p.deleted_at IS NULL THEN c.email END AS email, COALESCE(p.is_admin, 0) AS isAdmin,
        CASE WHEN k.subject = 'message' THEN (SELECT recipient_id FROM messages WHERE id = k.subject_id) END AS recipientId,
        EXISTS (SELECT 1 FROM products q WHERE k.subject = 'listing' AND q.id = k.subject_id AND q.held_for IS NOT NULL AND q.deleted_at IS NULL) AS isHeld
      FROM (${source}) k JOIN credentials c ON c.id = k.reported_id LEFT JOIN profiles p ON p.id = c.id`,
  );
  if (!row) return null;
  const { reportedId, name, email, isAdmin: isReportedAdmin, isHeld, isNew, ...facts } = row;
  const [reporters, related, admins] = await runBatch(db, [
    isByHand
      ? reportersOf(sql`${reportedId}`)
      : sql`SELECT r.reporter_id AS id FROM reports r JOIN profiles p ON p.id = r.reporter_id WHERE r.case_id = ${facts.id} AND p.is_admin = 1`,
    relatedAdmins(reportedId),
    ADMINS,
  ]);
  return {
    ...facts,
    isNew: isNew === 1,
    isHeld: isHeld === 1,
    reported: { id: reportedId, name, email, isAdmin: isReportedAdmin === 1 },
    reporterIds: idsOf(reporters),
    relatedIds: idsOf(related),
    admins: idsOf(admins),
  };
}

function findCase(db: Database, caseId: string): Promise<CaseFacts | null> {
  return readFacts(db, storedCase(sql`id = ${caseId}`));
}

function idsOf(answer: unknown): string[] {
  return rowsOf<{ id: string }>(answer).map(({ id }) => id);
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
   * decision: it can't be made about this subject. protected: an admin can't be suspended. own_money: it would end a deal
   * of the admin. stale: another admin was faster, or the person has deleted their account.
   */
  | { ok: false; code: DecideRefusal | "not_found" | "decision" | "protected" | "own_money" | "stale" };

interface Decided {
  decision: CaseDecision;
  statement: string;
  seen?: number | undefined;
}

/**
 * Decides an open case in one batch: what is reported, the audit log, and the emails to the reporters and to the person
 * concerned. A held listing is published when its case is dismissed. `seen`: when the listing that the admin saw was last
 * changed, ms; a seller who has changed it since then must not have it published (`stale`).
 */
export async function decideCase(
  services: ModerationServices,
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
  services: ModerationServices,
  admin: Admin,
  { subject, subjectId, statement }: { subject: "person" | "listing"; subjectId: string; statement: string },
): Promise<CaseResult> {
  const facts = await readFacts(services.db, caseByHand(subject, subjectId), { isByHand: true });
  if (!facts || facts.isHeld) return { ok: false, code: "stale" };
  return decide(services, admin, facts, { decision: subject === "person" ? "suspended" : "removed", statement }, [
    subject === "person"
      ? expectThat(sql`EXISTS (SELECT 1 FROM credentials WHERE id = ${subjectId} AND suspended_at IS NULL)`)
      : expectThat(
          sql`EXISTS (SELECT 1 FROM products WHERE id = ${subjectId} AND suspended_at IS NULL AND deleted_at IS NULL)`,
        ),
  ]);
}

/** `only`: more guards. They abort the batch. */
async function decide(
  services: ModerationServices,
  admin: Admin,
  facts: CaseFacts,
  { decision, statement: words, seen }: Decided,
  only: Statement[] = [],
): Promise<CaseResult> {
  const { subject, subjectId, reported } = facts;
  if (!DECISIONS[subject].includes(decision)) return { ok: false, code: "decision" };
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
    sql`UPDATE moderation_cases SET state = 'decided', decision = ${decision}, statement = ${statement}, decided_by = ${admin.id}, decided_at = ${now}, updated_at = ${now}
      WHERE id = ${facts.id} AND ${stateIs("state", CASE.isOpen)}`,
    expectOneChange(),
    ...(decision === "dismissed" ? expectSeen(facts, seen) : []),
    ...effects(services, admin, facts, { decision, statement, now }),
    ended ? liftIdleReportsOf(facts.id, now) : liftReportsOf(facts.id, now),
    ...decisionMails(facts, decision, statement ?? "", now),
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
            input: { statement: statement ?? "", ...(seen !== undefined && { seen }) },
          },
          statement,
          changes,
        );
  if (done === "stale") return { ok: false, code: done };
  if (done !== "proposed") await tellPages(services, facts, decision);
  const nextId = await findNextCase(services.db, admin.id, facts.id);
  return { ok: true, nextId, waits: done === "done" ? undefined : done };
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
  const ending = waits ? [holdMails("held", sql`${proposalId}`, now)] : ended ? [endDeals(ended, now)] : [];
  const done = await performMoneyAction(services, admin, action, may, [...changes, ...ending]);
  return done ? (waits ? "deals_wait" : "done") : "stale";
}

/** Opens a case that nobody reported. Aborts the batch if somebody reports it at this moment. */
function openCase({ id, subject, subjectId, reported, appealToken }: CaseFacts, now: number): Statement[] {
  return [
    sql`INSERT INTO moderation_cases (id, subject, subject_id, reported_id, state, appeal_token, created_at, updated_at)
      VALUES (${id}, ${subject}, ${subjectId}, ${reported.id}, 'open', ${appealToken}, ${now}, ${now}) ON CONFLICT DO NOTHING`,
    expectOneChange(),
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
    expectThat(sql`EXISTS (SELECT 1 FROM deal_holds WHERE proposal_id = ${proposal.id})`),
    ...endHeldDeals(sql`${proposal.id}`, now),
  ]);
  return done ? { ok: true } : { ok: false, code: "stale" };
}

/** The deals that wait because of a case go on by their usual clocks, although the decision stays. */
export async function keepWaitingDeals(
  services: ModerationServices,
  admin: Admin,
  proposal: { id: string; subject: string; reasons: string },
): Promise<{ ok: true } | { ok: false; code: DecideRefusal | "own_money" | "stale" }> {
  const { refusal } = await refuseAboutDeals(services, admin, proposal);
  if (refusal) return { ok: false, code: refusal };
  const now = services.now();
  const done = await performAdminAction(
    services,
    admin,
    { action: "act_declined", subject: proposal.subject, detail: proposal.reasons },
    [
      // Whoever made the decision can only undo it: otherwise the clocks would end the deals after one admin's act.
      sql`UPDATE admin_proposals SET state = 'declined', decided_by = ${admin.id}, decided_at = ${now}
        WHERE id = ${proposal.id} AND state = 'open' AND admin_id <> ${admin.id}`,
      expectOneChange(),
      holdMails("resumed", sql`${proposal.id}`, now),
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
  const items = sql`SELECT order_item_id FROM deal_holds WHERE proposal_id = ${id}`;
  if (await endsOwnDeal(services, admin.id, items)) return { facts, refusal: "own_money" };
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
  if (decision === "dismissed") return subject === "listing" ? [publishHeld(subjectId, now)] : [];
  const account =
    decision === "suspended"
      ? [
          expectThat(sql`NOT EXISTS (SELECT 1 FROM profiles WHERE id = ${reported.id} AND is_admin = 1)`),
          suspendAccount(reported.id, now),
          takeDownWith(reported.id, now),
          ...note("user_suspended", `user:${reported.id}`),
        ]
      : [];
  switch (subject) {
    case "person":
      return account;
    case "listing":
      return [
        sql`UPDATE products SET suspended_at = ${now}, held_for = NULL, updated_at = ${now}
          WHERE id = ${subjectId} AND deleted_at IS NULL AND (suspended_at IS NULL OR held_for IS NOT NULL)`,
        ...note("listing_suspended", `product:${subjectId}`),
        ...account,
      ];
    case "review":
      return [
        sql`UPDATE reviews SET removed_at = ${now} WHERE id = ${subjectId} AND removed_at IS NULL`,
        ...note("review_removed", `review:${subjectId}`),
        ...account,
      ];
    case "reply":
      return [
        sql`UPDATE reviews SET reply_removed_at = ${now} WHERE id = ${subjectId} AND reply IS NOT NULL AND reply_removed_at IS NULL`,
        ...note("reply_removed", `review:${subjectId}`),
        ...account,
      ];
    case "message":
      return [
        sql`UPDATE messages SET removed_at = ${now} WHERE id = ${subjectId} AND removed_at IS NULL`,
        ...note("message_removed", `message:${subjectId}`),
        ...account,
      ];
  }
}

/** Aborts the batch if the hidden listing of a case was changed after `seen`, ms. */
function expectSeen({ subject, subjectId }: CaseFacts, seen: number | undefined): Statement[] {
  if (subject !== "listing" || seen === undefined) return [];
  return [
    expectThat(
      sql`NOT EXISTS (SELECT 1 FROM products WHERE id = ${subjectId} AND suspended_at IS NOT NULL AND deleted_at IS NULL AND updated_at > ${seen})`,
    ),
  ];
}

/** Publishes a listing that was held. If its seller is suspended, it comes back with the seller. */
function publishHeld(productId: string, now: number): Statement {
  return sql`UPDATE products SET suspended_at = (SELECT suspended_at FROM credentials WHERE id = seller_id), held_for = NULL, updated_at = ${now}
    WHERE id = ${productId} AND held_for IS NOT NULL AND deleted_at IS NULL`;
}

function decisionMails(facts: CaseFacts, decision: CaseDecision, statement: string, now: number): Statement[] {
  const { id, subject, subjectId, title, appealToken, reported } = facts;
  const outcome = { template: "case_outcome", data: { name: "", subject, decision } } as const;
  const toReporters = reporterMails(id, outcome, now, freedJson(caseFrees(id, now), sql`r.reporter_id`));
  const { email, name } = reported;
  if (email === null || (decision === "dismissed" && !facts.isHeld)) return [toReporters];
  const mail: Mail =
    decision === "dismissed"
      ? {
          to: email,
          template: "held_listing_published",
          data: { name, productId: subjectId, productName: title },
        }
      : {
          to: email,
          template: "case_decided",
          data: { name, subject, decision, title, statement, appealToken },
        };
  return [toReporters, queueEffect("mail", `case_decided:${id}`, mail, now)];
}

/**
 * Queues an email to everybody who reported a case, each with their own name and money (`freed`). It is one statement, because any number of
 * people can report something.
 */
function reporterMails(
  caseId: string,
  mail: Omit<MailOf<"case_outcome" | "report_undone">, "to">,
  now: number,
  freed: SQL = sql`'[]'`,
): Statement {
  return queueEffects(
    "mail",
    sql`SELECT ${`${mail.template}:${caseId}:`} || c.id AS dedupeKey,
        json_set(${JSON.stringify(mail)}, '$.to', c.email, '$.data.name', COALESCE(p.full_name, ''), '$.data.freed', json(${freed})) AS payload
      FROM reports r JOIN credentials c ON c.id = r.reporter_id LEFT JOIN profiles p ON p.id = c.id
      WHERE r.case_id = ${caseId} AND p.deleted_at IS NULL`,
    now,
  );
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
  services: ModerationServices,
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
  const { email, name } = facts.reported;
  const mail: Mail | null =
    email === null
      ? null
      : { to: email, template: "appeal_answered", data: { name, granted, answer, appealToken: facts.appealToken } };
  const done = await performAdminAction(
    services,
    admin,
    { action: granted ? "appeal_granted" : "appeal_declined", subject: `case:${facts.id}`, detail: answer },
    [
      sql`UPDATE moderation_cases SET state = 'closed', appeal_granted = ${granted ? 1 : 0}, appeal_answer = ${answer}, appeal_decided_by = ${admin.id},
          closed_at = ${now}, updated_at = ${now}
        WHERE id = ${facts.id} AND ${stateIs("state", CASE.isAppealed)}`,
      expectOneChange(),
      ...(granted ? [...expectSeen(facts, input.seen), ...undo(services, admin, facts, now)] : []),
      ...(granted
        ? [reporterMails(facts.id, { template: "report_undone", data: { name: "", subject: facts.subject } }, now)]
        : []),
      ...(mail ? [queueEffect("mail", `appeal_answered:${facts.id}`, mail, now)] : []),
    ],
  );
  if (!done) return { ok: false, code: "stale" };
  if (granted) {
    await reloadConversation(services, facts.recipientId);
    await services.notifier.notify(facts.reported.id, { type: "account", notice: "We've undone our decision." });
  }
  return { ok: true, nextId: await findNextCase(services.db, admin.id, facts.id) };
}

/**
 * Takes back a decision that nobody has appealed, by hand: the case is closed as undone. `at`: when the account or listing
 * was suspended. Null when no case did it. case: another admin decided it, or its appeal waits or is over, so only that case
 * undoes it.
 */
export async function takeBackByHand(
  services: ModerationServices,
  admin: Admin,
  { subject, subjectId, at }: { subject: "person" | "listing"; subjectId: string; at: number },
): Promise<{ ok: true } | { ok: false; code: DecideRefusal | "case" | "stale" } | null> {
  const concerns =
    subject === "person"
      ? sql`reported_id = ${subjectId} AND decision = 'suspended'`
      : sql`subject = 'listing' AND subject_id = ${subjectId}`;
  const facts = await readFacts(
    services.db,
    storedCase(sql`${concerns} AND decided_at = ${at} AND appeal_granted IS NOT 1`),
    {
      isByHand: true,
    },
  );
  if (!facts) return null;
  const isTheirs = facts.decidedBy === admin.id || !facts.admins.includes(facts.decidedBy ?? "");
  if (!CASE.isDecided(facts.state) || !isTheirs) return { ok: false, code: "case" };
  const refusal = refusalFor(admin, { ...facts, decidedBy: null });
  if (refusal) return { ok: false, code: refusal };
  // Another admin may have decided the same since, while the account or listing was suspended already.
  const [again] = await services.db.all(
    sql`SELECT 1 FROM moderation_cases WHERE ${concerns} AND decided_at > ${at} AND decision <> 'dismissed' AND appeal_granted IS NOT 1
      AND decided_by <> ${admin.id} AND ${isAdmin(sql`moderation_cases.decided_by`)}`,
  );
  if (again) return { ok: false, code: "case" };
  const now = services.now();
  // The account comes back, and what the case is about stays removed: it is then a warning.
  const onlyAccount = subject === "person" && facts.subject !== "person";
  const change = onlyAccount
    ? sql`decision = 'warned'`
    : sql`state = 'closed', appeal_granted = 1, appeal_decided_by = ${admin.id}, closed_at = ${now}`;
  const done = await performAdminAction(services, admin, { action: "case_taken_back", subject: `case:${facts.id}` }, [
    sql`UPDATE moderation_cases SET ${change}, updated_at = ${now} WHERE id = ${facts.id} AND ${stateIs("state", CASE.isDecided)} AND decision = ${facts.decision}`,
    expectOneChange(),
    ...(onlyAccount
      ? [...undoSuspension(services, admin, facts, now), ...liftOthers(facts, now)]
      : [
          ...undo(services, admin, facts, now),
          reporterMails(facts.id, { template: "report_undone", data: { name: "", subject: facts.subject } }, now),
        ]),
  ]);
  if (!done) return { ok: false, code: "stale" };
  await services.notifier.notify(facts.reported.id, { type: "account", notice: "We've undone our decision." });
  return { ok: true };
}

/** The deals that waited for a second admin because of this case go on as they were. */
function liftWaiting({ id }: CaseFacts, now: number): Statement[] {
  const subject = `case:${id}`;
  const proposals = sql`SELECT id FROM admin_proposals WHERE subject = ${subject}`;
  return [holdMails("resumed", proposals, now), ...liftHolds(proposals, now), voidProposal(subject, now)];
}

/** The same where the listing of this case stays down: its own deals go on waiting, because they would have ended without the account, too. */
function liftOthers(facts: CaseFacts, now: number): Statement[] {
  if (facts.subject !== "listing") return liftWaiting(facts, now);
  const about = `case:${facts.id}`;
  const proposals = sql`SELECT id FROM admin_proposals WHERE subject = ${about}`;
  const withoutMoney = sql`state = 'open' AND NOT EXISTS (SELECT 1 FROM deal_holds h JOIN order_items i ON i.id = h.order_item_id
    WHERE h.proposal_id = admin_proposals.id AND i.subtotal > 0 AND ${stateIs("i.status", ITEM.isRunning)})`;
  const kept = itemsOfListing(facts.subjectId);
  return [
    holdMails("resumed", proposals, now, kept),
    ...liftHolds(proposals, now, kept),
    // What is free needs no second admin.
    ...endHeldDeals(sql`${proposals} AND ${withoutMoney}`, now),
    sql`UPDATE admin_proposals SET state = 'void', decided_at = ${now} WHERE subject = ${about} AND ${withoutMoney}`,
  ];
}

/** The account comes back, if this case suspended it. Listings that a case took down stay down, unless it is undone already. */
function undoSuspension(
  services: ModerationServices,
  admin: Admin,
  { reported, decision, decidedAt }: CaseFacts,
  now: number,
): Statement[] {
  if (decision !== "suspended") return [];
  return [
    restoreListingsOf(reported.id, sql`${decidedAt}`, now),
    sql`UPDATE credentials SET suspended_at = NULL, updated_at = ${now}
      WHERE id = ${reported.id} AND suspended_at = ${decidedAt} AND NOT EXISTS (SELECT 1 FROM profiles WHERE id = ${reported.id} AND deleted_at IS NOT NULL)`,
    keepDeals(itemsOfPerson(reported.id)),
    ...auditStatements(services, admin, { action: "user_restored", subject: `user:${reported.id}` }),
  ];
}

function undo(services: ModerationServices, admin: Admin, facts: CaseFacts, now: number): Statement[] {
  return [...undoSubject(services, admin, facts, now), ...liftWaiting(facts, now)];
}

function undoSubject(services: ModerationServices, admin: Admin, facts: CaseFacts, now: number): Statement[] {
  const { subject, subjectId, decidedAt } = facts;
  const note = (action: FreeAct, about: string) => auditStatements(services, admin, { action, subject: about });
  // The case counts as undone already, so the listing that it took down is restored as well.
  const account = undoSuspension(services, admin, facts, now);
  switch (subject) {
    case "person":
      return account;
    case "listing":
      return [
        // If the seller is suspended for something else, the listing comes back with the account.
        sql`UPDATE products SET suspended_at = (SELECT suspended_at FROM credentials WHERE id = seller_id), updated_at = ${now}
          WHERE id = ${subjectId} AND deleted_at IS NULL AND suspended_at = ${decidedAt}`,
        ...note("listing_restored", `product:${subjectId}`),
        ...account,
        keepDeals(itemsOfListing(subjectId)),
      ];
    case "review":
      return [
        sql`UPDATE reviews SET removed_at = NULL WHERE id = ${subjectId} AND removed_at = ${decidedAt}`,
        ...note("review_restored", `review:${subjectId}`),
        ...account,
      ];
    case "reply":
      return [
        sql`UPDATE reviews SET reply_removed_at = NULL WHERE id = ${subjectId} AND reply_removed_at = ${decidedAt}`,
        ...note("reply_restored", `review:${subjectId}`),
        ...account,
      ];
    case "message":
      return [
        sql`UPDATE messages SET removed_at = NULL WHERE id = ${subjectId} AND removed_at = ${decidedAt}`,
        ...note("message_restored", `message:${subjectId}`),
        ...account,
      ];
  }
}

/** SQL: the order of the queue: the most harm first, then the oldest. */
export const QUEUE_ORDER = sql`ORDER BY k.harm DESC, k.created_at, k.id`;

/** SQL: cases after a place in the queue. */
export function afterInQueue({ harm, createdAt, id }: { harm: number; createdAt: number; id: string }): SQL {
  return sql`(k.harm < ${harm} OR k.harm = ${harm} AND (k.created_at, k.id) > (${createdAt}, ${id}))`;
}

/** The next case in the queue in which this admin isn't involved, after the one with `caseId`; null at the end. */
async function findNextCase(db: Database, adminId: string, caseId: string): Promise<string | null> {
  const [next] = await db.all<{ id: string }>(
    sql`SELECT k.id FROM moderation_cases k, moderation_cases d
      WHERE d.id = ${caseId} AND ${stateIs("k.state", CASE.awaitsTeam)} AND k.reported_id <> ${adminId} AND k.decided_by IS NOT ${adminId}
        AND NOT EXISTS (SELECT 1 FROM reports r WHERE r.case_id = k.id AND r.reporter_id = ${adminId})
        AND (k.harm < d.harm OR k.harm = d.harm AND (k.created_at, k.id) > (d.created_at, d.id))
      ${QUEUE_ORDER} LIMIT 1`,
  );
  return next?.id ?? null;
}
