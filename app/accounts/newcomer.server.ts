import { type SQL, sql } from "drizzle-orm";
import { stateIs } from "#app/db/state-is.ts";
import { VERIFIED } from "#app/db/states/verified.ts";
import { NEWCOMER_MS } from "./newcomer-rules.ts";

/** SQL: the account is new (`newcomerUntil` isn't null). `now` in ms. */
export function isNewcomer(userId: string, now: number): SQL {
  return sql`EXISTS (SELECT 1 FROM credentials n JOIN profiles v ON v.id = n.id WHERE n.id = ${userId}
    AND NOT ${stateIs("v.verified_level", VERIFIED.isVerified)} AND (n.email_confirmed_at IS NULL OR n.created_at > ${now - NEWCOMER_MS}))`;
}
