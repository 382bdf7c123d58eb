import { type SQL, sql } from "drizzle-orm";
import { stateIs } from "#app/db/state-is.ts";
import { VERIFIED } from "#app/db/states/verified.ts";
import type { Store } from "#app/db/client.ts";
import { type AccountAge, NEWCOMER_MS, newcomerUntil } from "./newcomer-rules.ts";
import { newcomerMessageText } from "./newcomer-texts.ts";

/** SQL: the account is new (`newcomerUntil` isn't null). `now` in ms. */
export function isNewcomer(userId: string, now: number): SQL {
  return sql`EXISTS (SELECT 1 FROM credentials n JOIN profiles v ON v.id = n.id WHERE n.id = ${userId}
    AND NOT ${stateIs("v.verified_level", VERIFIED.isVerified)} AND (n.email_confirmed_at IS NULL OR n.created_at > ${now - NEWCOMER_MS}))`;
}

/** Why this account can't message another stranger now, and until when; null when it isn't new. */
export async function explainMessageLimit({ db, now }: Store, userId: string): Promise<string | null> {
  const [account] = await db.all<AccountAge>(
    sql`SELECT p.verified_level AS verifiedLevel, c.email_confirmed_at AS emailConfirmedAt, c.created_at AS createdAt
      FROM credentials c JOIN profiles p ON p.id = c.id WHERE c.id = ${userId}`,
  );
  const until = account ? newcomerUntil(account, now()) : null;
  return until === null ? null : newcomerMessageText(until, now());
}
