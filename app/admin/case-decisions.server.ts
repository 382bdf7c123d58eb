import { type SQL, sql } from "drizzle-orm";
import { expectOneChange, expectThat, rowOf, rowsOf, runBatch, type Statement } from "#app/db/batch.ts";
import type { Database, Store } from "#app/db/client.ts";
import { queueEffect, queueEffects } from "#app/db/outbox.ts";
import { stateIs } from "#app/db/state-is.ts";
import { CASE, type CaseDecision, type CaseState, type CaseSubject } from "#app/db/states/moderation.ts";
import { caseTitle } from "#app/moderation/case-columns.server.ts";
import { DECISIONS, type DecideRefusal, refuseDecider } from "#app/moderation/moderation-rules.ts";
import { decisionWords } from "#app/moderation/moderation-texts.ts";
import { endDeals, keepDeals } from "#app/orders/deal-records.server.ts";
import type { Mail, MailOf } from "#app/platform/mailer.ts";
import type { Notifier } from "#app/platform/live-events.ts";
import { type Admin, auditStatements, performAdminAction } from "./admin-pages.server.ts";
import {
  endsOwnDeal,
  itemsOfListing,
  itemsOfPerson,
  restoreListingsOf,
  suspendAccount,
  takeDownWith,
} from "./suspensions.server.ts";

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
  isHeld: boolean;
  /** The person concerned; `email` is null when the account is deleted. */
  reported: { id: string; name: string; email: string | null; isAdmin: boolean };
  /** Who got the message; null where the case is about something else. */
  recipientId: string | null;
  /** The ids of the admins among the reporters. */
  reporterIds: string[];
  /** The ids of all admins who can log in. */
  admins: string[];
}

/** SQL: the admins who can log in. */
export const ADMINS = sql`SELECT p.id FROM profiles p JOIN credentials c ON c.id = p.id WHERE p.is_admin = 1 AND c.suspended_at IS NULL`;

async function readFacts(db: Database, caseId: string): Promise<CaseFacts | null> {
  const [cases, reporters, admins] = await runBatch(db, [
    sql`SELECT k.id, k.subject, k.subject_id AS subjectId, COALESCE(${caseTitle()}, '') AS title, k.state, k.decision, k.decided_by AS decidedBy,
        k.decided_at AS decidedAt, k.appeal_token AS appealToken, k.reported_id AS reportedId, COALESCE(p.full_name, '') AS name,
        CASE WHEN p.deleted_at IS NULL THEN c.email END AS email, COALESCE(p.is_admin, 0) AS isAdmin,
        CASE WHEN k.subject = 'message' THEN (SELECT recipient_id FROM messages WHERE id = k.subject_id) END AS recipientId,
        EXISTS (SELECT 1 FROM products q WHERE k.subject = 'listing' AND q.id = k.subject_id AND q.held_for IS NOT NULL AND q.deleted_at IS NULL) AS isHeld
      FROM moderation_cases k JOIN credentials c ON c.id = k.reported_id LEFT JOIN profiles p ON p.id = c.id WHERE k.id = ${caseId}`,
    sql`SELECT r.reporter_id AS id FROM reports r JOIN profiles p ON p.id = r.reporter_id WHERE r.case_id = ${caseId} AND p.is_admin = 1`,
    ADMINS,
  ]);
  const row = rowOf<
    Omit<CaseFacts, "reported" | "reporterIds" | "admins" | "isHeld"> & {
      reportedId: string;
      name: string;
      email: string | null;
      isAdmin: number;
      isHeld: number;
    }
  >(cases);
  if (!row) return null;
  const { reportedId, name, email, isAdmin, isHeld, ...facts } = row;
  return {
    ...facts,
    isHeld: isHeld === 1,
    reported: { id: reportedId, name, email, isAdmin: isAdmin === 1 },
    reporterIds: idsOf(reporters),
    admins: idsOf(admins),
  };
}

function idsOf(answer: D1Result | undefined): string[] {
  return rowsOf<{ id: string }>(answer).map(({ id }) => id);
}

function refusalFor(admin: Admin, { reported, reporterIds, decidedBy, admins }: CaseFacts): DecideRefusal | null {
  return refuseDecider(admin.id, { reportedId: reported.id, reporterIds, decidedBy }, admins);
}

export type CaseResult =
  /** `nextId`: the case to decide next; null when none is left. */
  | { ok: true; nextId: string | null }
  /**
   * decision: it can't be made about this subject. protected: an admin can't be suspended. own_money: it would end a deal
   * of the admin. stale: another admin was faster, or the person has deleted their account.
   */
  | { ok: false; code: DecideRefusal | "not_found" | "decision" | "protected" | "own_money" | "stale" };

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
  const facts = await readFacts(services.db, input.caseId);
  if (!facts) return { ok: false, code: "not_found" };
  const { subject, subjectId, reported } = facts;
  const { decision } = input;
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
  const statement = decision === "dismissed" ? null : input.statement;
  const done = await performAdminAction(
    services,
    admin,
    { action: `case_${decision}`, subject: `case:${facts.id}`, detail: statement },
    [
      sql`UPDATE moderation_cases SET state = 'decided', decision = ${decision}, statement = ${statement}, decided_by = ${admin.id}, decided_at = ${now}, updated_at = ${now}
        WHERE id = ${facts.id} AND ${stateIs("state", CASE.isOpen)}`,
      expectOneChange(),
      ...(decision === "dismissed" ? expectSeen(facts, input.seen) : []),
      ...effects(services, admin, facts, { decision, statement, now }),
      ...decisionMails(facts, decision, statement ?? "", now),
    ],
  );
  if (!done) return { ok: false, code: "stale" };
  await tellPages(services, facts, decision);
  return { ok: true, nextId: await findNextCase(services.db, admin.id, facts.id) };
}

/** What a decision changes besides its case. */
function effects(
  services: ModerationServices,
  admin: Admin,
  { subject, subjectId, reported }: CaseFacts,
  { decision, statement, now }: { decision: CaseDecision; statement: string | null; now: number },
): Statement[] {
  const note = (action: string, about: string) =>
    auditStatements(services, admin, { action, subject: about, detail: statement });
  if (decision === "dismissed") return subject === "listing" ? [publishHeld(subjectId, now)] : [];
  const account =
    decision === "suspended"
      ? [
          expectThat(sql`NOT EXISTS (SELECT 1 FROM profiles WHERE id = ${reported.id} AND is_admin = 1)`),
          suspendAccount(reported.id, now),
          ...takeDownWith(reported.id, now),
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
        endDeals(itemsOfListing(subjectId), now),
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
  const toReporters = reporterMails(id, { template: "case_outcome", data: { name: "", subject, decision } }, now);
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
 * Queues an email to everybody who reported a case, each with their own name. It is one statement, because any number of
 * people can report something.
 */
function reporterMails(
  caseId: string,
  mail: Omit<MailOf<"case_outcome" | "report_undone">, "to">,
  now: number,
): Statement {
  return queueEffects(
    "mail",
    sql`SELECT ${`${mail.template}:${caseId}:`} || c.id AS dedupeKey,
        json_set(${JSON.stringify(mail)}, '$.to', c.email, '$.data.name', COALESCE(p.full_name, '')) AS payload
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
  const facts = await readFacts(services.db, input.caseId);
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

function undo(services: ModerationServices, admin: Admin, facts: CaseFacts, now: number): Statement[] {
  const { subject, subjectId, reported, decision, decidedAt } = facts;
  const note = (action: string, about: string) => auditStatements(services, admin, { action, subject: about });
  const account =
    decision === "suspended"
      ? [
          // The case counts as undone already, so the listing that it took down is restored as well.
          restoreListingsOf(reported.id, sql`${decidedAt}`, now),
          sql`UPDATE credentials SET suspended_at = NULL, updated_at = ${now}
            WHERE id = ${reported.id} AND suspended_at = ${decidedAt} AND NOT EXISTS (SELECT 1 FROM profiles WHERE id = ${reported.id} AND deleted_at IS NOT NULL)`,
          keepDeals(itemsOfPerson(reported.id)),
          ...note("user_restored", `user:${reported.id}`),
        ]
      : [];
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
