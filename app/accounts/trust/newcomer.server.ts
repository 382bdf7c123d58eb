import { and, eq, exists, gt, isNull, not, or, type SQL } from "drizzle-orm";
import { build } from "#app/db/build.ts";
import { credentials, profiles } from "#app/accounts/tables.server.ts";
import { stateIs } from "#app/db/state-is.ts";
import { VERIFIED } from "#app/db/states/verified.ts";
import type { Store } from "#app/db/client.ts";
import { NEWCOMER_MS, newcomerUntil } from "./newcomer-rules.ts";
import { newcomerMessageText } from "./newcomer-texts.ts";

/** SQL: the account is new (`newcomerUntil` isn't null). `now` in ms. */
export function isNewcomer(userId: string, now: number): SQL {
  const isNew = or(isNull(credentials.emailConfirmedAt), gt(credentials.createdAt, now - NEWCOMER_MS));
  return exists(
    build
      .select({ id: credentials.id })
      .from(credentials)
      .innerJoin(profiles, eq(profiles.id, credentials.id))
      .where(and(eq(credentials.id, userId), not(stateIs(profiles.verifiedLevel, VERIFIED.isVerified)), isNew)),
  );
}

/** Why this account can't message another stranger now, and until when; null when it isn't new. */
export async function explainMessageLimit({ db, now }: Store, userId: string): Promise<string | null> {
  const [account] = await db
    .select({
      verifiedLevel: profiles.verifiedLevel,
      emailConfirmedAt: credentials.emailConfirmedAt,
      createdAt: credentials.createdAt,
    })
    .from(credentials)
    .innerJoin(profiles, eq(profiles.id, credentials.id))
    .where(eq(credentials.id, userId));
  const until = account ? newcomerUntil(account, now()) : null;
  return until === null ? null : newcomerMessageText(until, now());
}
