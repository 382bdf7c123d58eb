import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { id, time, userId } from "#app/db/columns.ts";
import { stateIs } from "#app/db/state-is.ts";
import { CASE, CASE_DECISIONS, CASE_STATES, CASE_SUBJECTS, REPORT_REASONS } from "#app/db/states/moderation.ts";
import { copies } from "#app/db/tables.server.ts";

/** Something that our team must look at: reported by people, or a listing that was held. */
export const moderationCases = sqliteTable(
  "moderation_cases",
  {
    id: id(),
    subject: text({ enum: CASE_SUBJECTS }).notNull(),
    /** The id of the listing, review, person or message. */
    subjectId: text().notNull(),
    /** The person concerned: the seller, author or sender. */
    reportedId: userId().notNull(),
    /** The subject as it was when the case was opened. Null where nothing was copied. */
    copyId: integer().references(() => copies.id),
    state: text({ enum: CASE_STATES }).notNull().default("open"),
    /** Higher comes first in the queue (moderation/cases/case-rules.ts). */
    harm: integer().notNull().default(0),
    /** How many people reported it. 0: a held listing. */
    reports: integer().notNull().default(0),
    decision: text({ enum: CASE_DECISIONS }),
    /** What the person concerned reads about the decision. */
    statement: text(),
    decidedBy: userId(),
    decidedAt: time(),
    /** Unguessable. With it the person concerned can appeal, even from a suspended account. */
    appealToken: text().notNull(),
    appeal: text(),
    appealedAt: time(),
    /** Whether the appeal changed the decision; null until it is answered. */
    appealGranted: integer({ mode: "boolean" }),
    appealAnswer: text(),
    appealDecidedBy: userId(),
    closedAt: time(),
    createdAt: time().notNull(),
    updatedAt: time().notNull(),
  },
  (t) => [
    // All reports about the same thing join one open case.
    uniqueIndex("moderation_cases_open").on(t.subject, t.subjectId).where(stateIs("state", CASE.isOpen)),
    index("moderation_cases_queue").on(t.harm, t.createdAt, t.id).where(stateIs("state", CASE.awaitsTeam)),
    index("moderation_cases_done").on(t.updatedAt, t.id).where(stateIs("state", CASE.isDone)),
    index("moderation_cases_reported").on(t.reportedId, t.createdAt),
    uniqueIndex("moderation_cases_token").on(t.appealToken),
  ],
);

/** One person's report. */
export const reports = sqliteTable(
  "reports",
  {
    id: id(),
    caseId: text()
      .notNull()
      .references(() => moderationCases.id),
    reporterId: userId().notNull(),
    /** The subject as it was when they reported it. Null where nothing was copied. */
    copyId: integer().references(() => copies.id),
    reason: text({ enum: REPORT_REASONS }).notNull(),
    /** Empty when they wrote nothing. */
    text: text().notNull().default(""),
    /**
     * Since when it doesn't stop the money of the reporter's orders any more: they took it back, or our team decided.
     */
    liftedAt: time(),
    createdAt: time().notNull(),
  },
  (t) => [
    uniqueIndex("reports_reporter").on(t.caseId, t.reporterId),
    index("reports_written").on(t.reporterId, t.createdAt),
  ],
);

/** An act of an admin that moves more than one admin may move alone, until a second one confirms or declines it. */
export const adminProposals = sqliteTable(
  "admin_proposals",
  {
    id: id(),
    /** As in the audit log (team/act-rules.ts). */
    act: text().notNull(),
    /** "kind:id", as in the audit log. */
    subject: text().notNull(),
    adminId: userId().notNull(),
    /** JSON: what the act needs besides its subject. */
    input: text().notNull(),
    reasons: text().notNull(),
    /** KES that it would move. */
    amount: integer().notNull(),
    state: text({ enum: ["open", "confirmed", "declined", "void"] })
      .notNull()
      .default("open"),
    createdAt: time().notNull(),
    decidedBy: userId(),
    decidedAt: time(),
  },
  (t) => [
    // A new proposal about the same thing takes the place of the open one.
    uniqueIndex("admin_proposals_open")
      .on(t.subject)
      .where(sql`state = 'open'`),
  ],
);

/** Money that one admin alone has moved or begun to move. Their later acts about the same people count with it. */
export const adminMoves = sqliteTable(
  "admin_moves",
  {
    adminId: userId().notNull(),
    /** The id of the item, payout, refund or payment. */
    moneyId: text().notNull(),
    act: text().notNull(),
    buyerId: userId(),
    sellerId: userId(),
    /** KES. */
    amount: integer().notNull(),
    createdAt: time().notNull(),
  },
  (t) => [primaryKey({ columns: [t.adminId, t.moneyId] })],
);
