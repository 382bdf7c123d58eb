/**
 * Thieves who know a seller's password: they change where the money goes, and sometimes add a second step. Most owners
 * read their emails within a day and take their account back, and no money may have gone to the thief then.
 */
import { env } from "cloudflare:workers";
import { and, asc, desc, eq, gt, isNull, type SQL, sql } from "drizzle-orm";
import { emailTokenOf, type TokenPurpose } from "#app/accounts/login/email-tokens.server.ts";
import { resetPassword, sendPasswordReset } from "#app/accounts/login/password-reset.server.ts";
import { savePhone } from "#app/accounts/profile/payout-phone.server.ts";
import { takeBack } from "#app/accounts/login/take-back.server.ts";
import { codeAt, periodAt } from "#app/accounts/two-step/totp.server.ts";
import { addApp, findStartedApp, startApp } from "#app/accounts/two-step/two-step.server.ts";
import { afterVerifiedChanged } from "#app/accounts/trust/verified-effects.server.ts";
import { idList } from "#app/db/build.ts";
import { write } from "#app/db/batch.ts";
import { openDatabase } from "#app/db/client.ts";
import { emailTokens } from "#app/accounts/tables.server.ts";
import type { DealServices } from "#app/deals/deal-services.ts";
import { lookAgainAtNumber } from "#app/payments/transfers/payouts.server.ts";
import { ORIGIN } from "#tests/support/accounts.ts";
import { type Campus, invoke } from "./invocation.ts";
import type { Person } from "./people.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The hash of the password that thieves know. Who has another one has chosen a new password since. */
const KNOWN = "a password that is known";

/** A seller's number that a thief has changed. */
export interface Theft {
  /** The thief's own number, of this theft alone. */
  phone: string;
  /** Ms since 1970, before the change. */
  at: number;
  /** The owner does nothing about it. */
  isIgnored: boolean;
}

/** Sellers who can be robbed: they have a password, and a confirmed email. */
export async function exposeSellers({ d1, sellers, stage }: Campus): Promise<void> {
  await write(
    openDatabase(d1),
    sellers.flatMap(({ id }) => [
      sql`UPDATE credentials SET password_hash = ${KNOWN}, email_confirmed_at = ${stage.now} WHERE id = ${id}`,
      ...afterVerifiedChanged(idList(id), stage.now),
    ]),
  );
}

/** What logging in needs besides. */
function withLogin(services: DealServices) {
  return { ...services, passwordPepper: env.PASSWORD_PEPPER, adminEmails: [], origin: ORIGIN };
}

/** A thief logs in to a seller's account, if they still can, and waits until money is about to leave. */
export function steal(campus: Campus): void {
  const { stage, thefts } = campus;
  const { chance } = stage;
  const victim = chance.pick(campus.sellers);
  const addsStep = chance.happens(0.5);
  const theft = {
    phone: `2547990000${10 + thefts.length}`,
    at: stage.now,
    isIgnored: chance.happens(0.25),
  };
  invoke(campus, "a thief", async (own) => {
    const services = withLogin(own);
    if (victim.phone === null || campus.away.has(victim.id)) return;
    const [account] = await services.db.all<{ hash: string | null; isNear: number; steps: number; own: number }>(
      sql`SELECT c.password_hash AS hash, ${isNearPayout(victim.id, services.now())} AS isNear,
        p.phone = ${victim.phone} AS own,
          (SELECT COUNT(*) FROM authenticators a WHERE a.user_id = c.id AND a.confirmed_at IS NOT NULL) AS steps
        FROM credentials c JOIN profiles p ON p.id = c.id WHERE c.id = ${victim.id}`,
    );
    if (account?.hash !== KNOWN) return stage.note("a thief's password no longer opens anything");
    if (!account.isNear || !account.own) return;
    thefts.push(theft);
    if (!theft.isIgnored) stage.later(chance.between(8 * 60, 20 * 60) * MINUTE, () => getBack(campus, victim, 20));
    const saved = await savePhone(services, { userId: victim.id, phone: theft.phone, passwordHash: KNOWN }, []);
    stage.note(`a thief changes where a seller's money goes: ${saved.ok}`);
    if (addsStep && account.steps === 0) await addStep(services, victim.id);
  });
}

/** SQL: a payout is open, or something of a deal happens within hours. */
function isNearPayout(sellerId: string, now: number): SQL {
  return sql`(EXISTS (SELECT 1 FROM payouts y WHERE y.seller_id = ${sellerId} AND y.state <> 'done')
    OR EXISTS (SELECT 1 FROM deal_timers t JOIN order_items i ON i.id = t.order_item_id
      WHERE i.seller_id = ${sellerId} AND t.due_at < ${now + 8 * HOUR}))`;
}

async function addStep(services: ReturnType<typeof withLogin>, userId: string): Promise<void> {
  await startApp(services, userId, "the thief's session");
  const started = await findStartedApp(services, userId, "the thief's session");
  if (started) await addApp(services, userId, codeAt(started.secret, periodAt(services.now())));
}

/** The id of a link in the owner's mailbox that still works. Of those that undo, the oldest. */
async function findLink({ db, now }: DealServices, userId: string, purpose: TokenPurpose): Promise<string | null> {
  const { id, createdAt, expiresAt, usedAt } = emailTokens;
  const [link] = await db
    .select({ id })
    .from(emailTokens)
    .where(and(eq(emailTokens.userId, userId), eq(emailTokens.purpose, purpose), isNull(usedAt), gt(expiresAt, now())))
    .orderBy(purpose === "account_undo" ? asc(createdAt) : desc(createdAt))
    .limit(1);
  return link ? emailTokenOf(env.PASSWORD_PEPPER, link.id) : null;
}

/** The owner undoes what the thief changed. Where the worker is stopped, they press again. */
function getBack(campus: Campus, owner: Person, tries: number): void {
  const { stage } = campus;
  let isDone = false;
  invoke(campus, "an owner takes their account back", async (services) => {
    const token = await findLink(services, owner.id, "account_undo");
    if (token === null) {
      isDone = true;
      return;
    }
    const taken = await takeBack(withLogin(services), token, lookAgainAtNumber);
    stage.note(`an owner takes their account back: ${taken.ok ? "done" : taken.code}`);
    isDone = true;
    if (taken.ok && taken.resetToken !== null)
      stage.later(stage.chance.between(1, 600) * MINUTE, () => choosePassword(campus, owner, 200));
  });
  stage.later(10 * MINUTE, () => {
    if (!isDone && tries > 1) getBack(campus, owner, tries - 1);
  });
}

/** The owner chooses a new password by the link of an email, which they ask for where the last one is over. */
function choosePassword(campus: Campus, owner: Person, tries: number): void {
  const { stage } = campus;
  let isDone = false;
  invoke(campus, "an owner chooses a password", async (own) => {
    const services = withLogin(own);
    const token = await findLink(services, owner.id, "password_reset");
    if (token === null) {
      await sendPasswordReset(services, `${owner.id}@campus.test`);
      return;
    }
    const chosen = await resetPassword(services, { token, password: "Mlima-Kenya-1963" });
    isDone = chosen.ok;
    if (chosen.ok) stage.note("an owner chooses a new password");
  });
  stage.later(25 * MINUTE, () => {
    if (!isDone && tries > 1) choosePassword(campus, owner, tries - 1);
  });
}

/** No money has gone to a thief whose victim took the account back, and to no other before a day had passed. */
export function auditThieves({ thefts, mPesa }: Campus): string[] {
  return mPesa.records().payouts.flatMap(({ phone, created_at: createdAt }) => {
    const theft = thefts.find((one) => one.phone === phone);
    if (!theft || (theft.isIgnored && createdAt >= theft.at + DAY)) return [];
    return [`a thief is paid ${((createdAt - theft.at) / HOUR).toFixed(1)} h after the number changed`];
  });
}
