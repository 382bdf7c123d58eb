import { sql } from "drizzle-orm";
import { commitBatch, expectOneChange, PreconditionFailed } from "#app/db/batch.ts";
import type { Store } from "#app/db/client.ts";
import { stateIs } from "#app/db/state-is.ts";
import { CASE, type CaseDecision, type CaseState, type CaseSubject } from "#app/db/states/moderation.ts";
import { caseTitle } from "./case-columns.server.ts";
import { APPEAL_DAYS, APPEAL_MAX, appealEnds, canAppeal } from "./moderation-rules.ts";

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
  const [row] = await store.db.all<
    Omit<AppealPage, "appealGranted" | "canAppeal" | "endsAt"> & { appealGranted: number | null }
  >(sql`SELECT k.subject, CASE WHEN k.subject = 'person' THEN '' ELSE COALESCE(${caseTitle()}, '') END AS title, k.decision, COALESCE(k.statement, '') AS statement,
      k.decided_at AS decidedAt, k.state, k.appeal, k.appeal_granted AS appealGranted, k.appeal_answer AS appealAnswer
    FROM moderation_cases k WHERE k.appeal_token = ${token} AND k.decided_at IS NOT NULL AND k.decision <> 'dismissed'`);
  if (!row) return null;
  return {
    ...row,
    appealGranted: row.appealGranted === null ? null : row.appealGranted === 1,
    canAppeal: canAppeal(row, store.now()),
    endsAt: appealEnds(row.decidedAt),
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
  try {
    await commitBatch(store.db, [
      sql`UPDATE moderation_cases SET state = 'appealed', appeal = ${text}, appealed_at = ${now}, updated_at = ${now}
      WHERE appeal_token = ${input.token} AND ${stateIs("state", CASE.isDecided)} AND decision <> 'dismissed'
        AND decided_at > ${now - APPEAL_DAYS * 24 * 60 * 60_000}`,
      expectOneChange(),
    ]);
    return { ok: true };
  } catch (error) {
    if (error instanceof PreconditionFailed) return { ok: false, code: "over" };
    throw error;
  }
}
