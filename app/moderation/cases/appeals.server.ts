import { and, eq, gt, isNotNull, ne } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { expectOneChange, tryWrite } from "#app/db/batch.ts";
import { build, pick } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import { moderationCases } from "#app/moderation/tables.server.ts";
import { stateIs } from "#app/db/state-is.ts";
import { CASE, type CaseDecision, type CaseState, type CaseSubject } from "#app/db/states/moderation.ts";
import { caseTitle } from "./case-columns.server.ts";
import { APPEAL_DAYS, APPEAL_MAX, appealEnds, canAppeal } from "./case-rules.ts";
import { DAY_MS } from "#app/platform/duration-rules.ts";

/** A decision, as the person concerned reads it. Times in ms since 1970. */
export interface AppealPage {
  subject: CaseSubject;
  /** The listing's name, or what they wrote; empty for a person. */
  title: string;
  decision: CaseDecision;
  statement: string;
  decidedAt: number;
  state: CaseState;
  /** What they wrote; null before they appeal. */
  appeal: string | null;
  /** Whether our team undid the decision; null before it has answered. */
  appealGranted: boolean | null;
  appealAnswer: string | null;
  canAppeal: boolean;
  /** Until when they can appeal. */
  endsAt: number;
}

/** The decision with this token; null for any other token, and where our team did nothing. */
export async function findAppeal(store: Store, token: string): Promise<AppealPage | null> {
  const caseRow = alias(moderationCases, "case_row");
  const [row] = await store.db
    .select({
      subject: caseRow.subject,
      title: caseTitle(),
      ...pick(caseRow, "decision", "statement", "decidedAt", "state", "appeal", "appealGranted", "appealAnswer"),
    })
    .from(caseRow)
    .where(and(eq(caseRow.appealToken, token), isNotNull(caseRow.decidedAt), ne(caseRow.decision, "dismissed")));
  if (!row?.decision || row.decidedAt === null) return null;
  const { decision, decidedAt } = row;
  return {
    ...row,
    decision,
    decidedAt,
    title: row.subject === "person" ? "" : (row.title ?? ""),
    statement: row.statement ?? "",
    canAppeal: canAppeal({ ...row, decision, decidedAt }, store.now()),
    endsAt: appealEnds(decidedAt),
  };
}

/** over: it has been appealed already, or is too old. */
export type AppealResult = { ok: true } | { ok: false; code: "empty" | "too_long" | "over" };

/** Appeals the decision with this token, once. Its case returns to the queue. */
export async function sendAppeal(store: Store, input: { token: string; text: string }): Promise<AppealResult> {
  const text = input.text.trim();
  if (text === "") return { ok: false, code: "empty" };
  if (text.length > APPEAL_MAX) return { ok: false, code: "too_long" };
  const now = store.now();
  const isDone = await tryWrite(store.db, [
    build
      .update(moderationCases)
      .set({ state: "appealed", appeal: text, appealedAt: now, updatedAt: now })
      .where(
        and(
          eq(moderationCases.appealToken, input.token),
          stateIs(moderationCases.state, CASE.isDecided),
          ne(moderationCases.decision, "dismissed"),
          gt(moderationCases.decidedAt, now - APPEAL_DAYS * DAY_MS),
        ),
      ),
    expectOneChange(),
  ]);
  return isDone ? { ok: true } : { ok: false, code: "over" };
}
