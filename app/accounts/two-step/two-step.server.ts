/**
 * The second step of a login: an authenticator app, passkeys and recovery codes (docs/product-rules.md, "Two-step
 * login").
 */
import { and, count, eq, inArray, isNotNull, isNull, lt, ne, not, or, type SQL, sql } from "drizzle-orm";
import {
  PreconditionFailed,
  type Statement,
  UniqueViolation,
  expectOneChange,
  expectThat,
  holds,
  read,
  write,
} from "#app/db/batch.ts";
import { asBoolean, build, hasRow, oneRow } from "#app/db/build.ts";
import type { Database, Logging } from "#app/db/client.ts";
import { countIn, countOne, isUsedUp, isWithin } from "#app/db/rate-counters.ts";
import { authenticators, credentials, emailTokens, passkeys } from "#app/accounts/tables.server.ts";
import type { TwoStepChange } from "#app/db/states/two-step.ts";
import {
  type AccountBefore,
  type ChangeServices,
  isOpenUndo,
  noteAccessChange,
} from "#app/accounts/login/account-change.server.ts";
import { epochOf } from "#app/accounts/profile/settings.server.ts";
import type { SignInServices } from "#app/accounts/login/sign-in.server.ts";
import { tellCodesWrong, tellRecoveryUsed, tellTwoStepChanged } from "#app/accounts/login/tell-security.server.ts";
import { hasSecondStep } from "./has-second-step.server.ts";
import { checkNewPasskey, checkUsedPasskey, type NewPasskey, type UsedPasskey } from "./passkey-checks.server.ts";
import { decryptFor, encryptFor, hashRecoveryCode, newRecoveryCodes } from "./secrets.server.ts";
import { newSecret, periodOf } from "./totp.server.ts";
import { PASSKEYS_MAX, readStepCode } from "./two-step-rules.ts";
import { codeAllowances, forgetWrongCodes } from "./wrong-codes.server.ts";

export interface TwoStepServices extends SignInServices, Logging {
  /** This site's own: scheme, host and port. */
  origin: string;
}

/** The ways in which somebody can do the second step. Times in ms since 1970. */
export interface SecondSteps {
  /** When the authenticator app was set up; null without one. */
  appSince: number | null;
  passkeys: { id: string; createdAt: number }[];
  /** How many recovery codes are left. */
  codesLeft: number;
}

/** One round trip. */
export async function findSecondSteps(db: Database, userId: string): Promise<SecondSteps> {
  const {
    app: [app],
    keys,
    codes: [codes],
  } = await read(db, {
    app: build
      .select({ confirmedAt: authenticators.confirmedAt })
      .from(authenticators)
      .where(eq(authenticators.userId, userId)),
    keys: build
      .select({ id: passkeys.id, createdAt: passkeys.createdAt })
      .from(passkeys)
      .where(eq(passkeys.userId, userId))
      .orderBy(passkeys.createdAt),
    codes: recoveryCodesOf(userId),
  });
  return { appSince: app?.confirmedAt ?? null, passkeys: keys, codesLeft: codes?.hashes?.length ?? 0 };
}

function recoveryCodesOf(userId: string) {
  return build.select({ hashes: credentials.recoveryCodes }).from(credentials).where(eq(credentials.id, userId));
}

export function isEmpty({ appSince, passkeys: keys }: SecondSteps): boolean {
  return appSince === null && keys.length === 0;
}

// ------------------------------------------------------------------ proving

/**
 * busy: no code counts for some minutes. closed: none counts for a day, or until a new password is chosen by an emailed
 * link.
 */
export type StepResult = { ok: true } | { ok: false; code: "wrong" | "busy" | "closed" };
const WRONG = { ok: false, code: "wrong" } as const;

/**
 * Checks a code of the app or a recovery code. Each works once, also of two requests at the same moment. `epoch`: of
 * the first step, whose sessions may have ended since: then no code is used up.
 */
export async function spendCode(
  services: TwoStepServices,
  userId: string,
  typed: string,
  epoch?: number,
): Promise<StepResult> {
  const { few, ofDay } = codeAllowances(userId);
  const now = services.now();
  // Counting first means that parallel attempts gain nothing. A code that is sent during the pause doesn't count for
  // the day.
  const { inPause, inDay } = await write(services.db, {
    inPause: countOne(few, now),
    inDay: countOne(ofDay, now, isWithin(few)),
  });
  if (countIn(inPause) > few.max || countIn(inDay) > ofDay.max) {
    const isClosed = await isUsedUp(services, ofDay);
    const told = isClosed ? "codes_closed" : "codes_wrong";
    await write(services.db, tellCodesWrong(userId, told, now));
    return { ok: false, code: isClosed ? "closed" : "busy" };
  }
  const given = readStepCode(typed);
  if (!given) return WRONG;
  const spent =
    given.kind === "app"
      ? await spendAppCode(services, userId, given.code)
      : spendRecoveryCode(services, userId, given.code);
  if (!spent) return WRONG;
  const alive = epoch === undefined ? [] : [expectThat(isAlive(userId, epoch))];
  return (await commits(services, [...alive, ...spent, forgetWrongCodes(userId)])) ? { ok: true } : WRONG;
}

function isAlive(userId: string, epoch: number): SQL {
  const { id, sessionEpoch, suspendedAt } = credentials;
  return hasRow(credentials, and(eq(id, userId), eq(sessionEpoch, epoch), isNull(suspendedAt)));
}

/** Whether the sessions that a first step was made for can still begin. */
export function isFirstStepAlive({ db }: TwoStepServices, first: { userId: string; epoch: number }): Promise<boolean> {
  return holds(db, isAlive(first.userId, first.epoch));
}

async function spendAppCode(services: TwoStepServices, userId: string, code: string): Promise<Statement[] | null> {
  const [app] = await services.db
    .select({ secret: authenticators.secret })
    .from(authenticators)
    .where(and(eq(authenticators.userId, userId), isNotNull(authenticators.confirmedAt)));
  if (!app) return null;
  const secret = await decryptFor(userId, app.secret, services.passwordPepper);
  // PASSWORD_PEPPER has changed since. docs/deploying/keys.md says how they get in.
  if (!secret) services.log({ event: "app_secret_unreadable", level: "error", userId });
  const period = secret && periodOf(secret, code, services.now());
  if (period === null) return null;
  return [
    build
      .update(authenticators)
      .set({ lastPeriod: period })
      .where(
        and(
          eq(authenticators.userId, userId),
          eq(authenticators.secret, app.secret),
          isNotNull(authenticators.confirmedAt),
          lt(authenticators.lastPeriod, period),
        ),
      ),
    expectOneChange(),
  ];
}

function spendRecoveryCode(services: TwoStepServices, userId: string, code: string): Statement[] {
  const hash = hashRecoveryCode(userId, code, services.passwordPepper);
  const { id, recoveryCodes } = credentials;
  const others = sql`(SELECT json_group_array(value) FROM json_each(${recoveryCodes}) WHERE value <> ${hash})`;
  return [
    build
      .update(credentials)
      .set({ recoveryCodes: others as SQL<string[]> })
      .where(and(eq(id, userId), sql`EXISTS (SELECT 1 FROM json_each(${recoveryCodes}) WHERE value = ${hash})`)),
    expectOneChange(),
    ...tellRecoveryUsed(userId, services.now()),
    // Undoing a change brings back earlier codes, and not this one.
    build
      .update(emailTokens)
      .set({
        accountBefore: sql`json_set(${emailTokens.accountBefore}, '$.codes.hashes', json((SELECT json_group_array(value)
          FROM json_each(${emailTokens.accountBefore}, '$.codes.hashes') WHERE value <> ${hash})))`,
      })
      .where(and(isOpenUndo(userId, services.now()), sql`${emailTokens.accountBefore} ->> '$.codes' IS NOT NULL`)),
  ];
}

/** Checks what a passkey has signed. Each challenge works once. */
export async function spendPasskey(services: TwoStepServices, userId: string, used: UsedPasskey): Promise<StepResult> {
  const [stored] = await services.db
    .select()
    .from(passkeys)
    .where(and(eq(passkeys.id, used.id), eq(passkeys.userId, userId)));
  const now = services.now();
  const checked = stored && checkUsedPasskey(services, userId, used, stored, now);
  if (!checked) return WRONG;
  const spent = build
    .update(passkeys)
    .set({ lastUsedAt: now, signCount: checked.signCount })
    .where(and(eq(passkeys.id, used.id), eq(passkeys.userId, userId), lt(passkeys.lastUsedAt, checked.issuedAt)));
  return (await commits(services, [spent, expectOneChange()])) ? { ok: true } : WRONG;
}

async function commits(services: TwoStepServices, statements: Statement[]): Promise<boolean> {
  try {
    await write(services.db, statements);
    return true;
  } catch (error) {
    if (error instanceof PreconditionFailed || error instanceof UniqueViolation) return false;
    throw error;
  }
}

// ----------------------------------------------------------------- changing

/**
 * A change of the second step. Every session ends; `epoch` is for the new session of this browser. `codes`: the
 * recovery codes that came with it, which nobody can read again.
 */
export type StepChange =
  | { ok: true; epoch: number; hasSecondStep: boolean; codes: string[] | null }
  | { ok: false; code: "wrong" | "stale" };

/**
 * Begins to set up an authenticator app. A beginning of the same session goes on, so that its QR code in another tab
 * stays right; one of another session is replaced, because whoever saw its secret could use it. False where an app is
 * set up already.
 */
export async function startApp(services: TwoStepServices, userId: string, sessionId: string): Promise<boolean> {
  const secret = await encryptFor(userId, newSecret(), services.passwordPepper);
  const createdAt = services.now();
  const isReadable = (await findStartedApp(services, userId, sessionId)) !== null;
  const isOther = isReadable ? ne(authenticators.startedBy, sessionId) : undefined;
  const {
    app: [app],
  } = await write(services.db, {
    begun: build
      .insert(authenticators)
      .values({ userId, secret, startedBy: sessionId, createdAt })
      .onConflictDoUpdate({
        target: authenticators.userId,
        set: { secret, startedBy: sessionId, createdAt },
        setWhere: and(isNull(authenticators.confirmedAt), isOther),
      }),
    app: build
      .select({ confirmedAt: authenticators.confirmedAt })
      .from(authenticators)
      .where(eq(authenticators.userId, userId)),
  });
  return app?.confirmedAt === null;
}

/** An app that is being set up. */
export interface StartedApp {
  secret: Uint8Array;
  /** Ms since 1970. Tells one set-up from the next. */
  startedAt: number;
}

/** The app whose set-up began in this session; null without one that can be read. */
export async function findStartedApp(
  services: TwoStepServices,
  userId: string,
  sessionId: string,
): Promise<StartedApp | null> {
  const [app] = await services.db
    .select({ secret: authenticators.secret, startedAt: authenticators.createdAt })
    .from(authenticators)
    .where(
      and(
        eq(authenticators.userId, userId),
        eq(authenticators.startedBy, sessionId),
        isNull(authenticators.confirmedAt),
      ),
    );
  const secret = app && (await decryptFor(userId, app.secret, services.passwordPepper));
  return secret ? { secret, startedAt: app.startedAt } : null;
}

/**
 * Ends the set-up of an app with its first code. `startedAt`: of the set-up whose QR code they scanned, which another
 * may have replaced since. No code of it can be right then.
 */
export async function addApp(
  services: TwoStepServices,
  userId: string,
  typed: string,
  startedAt?: number,
): Promise<StepChange> {
  const [app] = await services.db
    .select({ secret: authenticators.secret, startedAt: authenticators.createdAt })
    .from(authenticators)
    .where(and(eq(authenticators.userId, userId), isNull(authenticators.confirmedAt)));
  if (!app || (startedAt !== undefined && startedAt !== app.startedAt)) return { ok: false, code: "stale" };
  const secret = await decryptFor(userId, app.secret, services.passwordPepper);
  if (!secret) return { ok: false, code: "stale" };
  const now = services.now();
  const period = periodOf(secret, readStepCode(typed)?.code ?? "", now);
  if (period === null) return { ok: false, code: "wrong" };
  const isStarted = and(
    eq(authenticators.userId, userId),
    eq(authenticators.secret, app.secret),
    isNull(authenticators.confirmedAt),
  );
  return change(services, userId, "app_added", [
    build.update(authenticators).set({ confirmedAt: now, lastPeriod: period }).where(isStarted),
    expectOneChange(),
  ]);
}

export async function addPasskey(services: TwoStepServices, userId: string, passkey: NewPasskey): Promise<StepChange> {
  const now = services.now();
  const checked = checkNewPasskey(services, userId, passkey, now);
  if (!checked) return { ok: false, code: "wrong" };
  const { id, publicKey } = passkey;
  const own = build.select({ count: count() }).from(passkeys).where(eq(passkeys.userId, userId));
  return change(services, userId, "passkey_added", [
    expectThat(sql`${own} < ${PASSKEYS_MAX}`),
    build
      .insert(passkeys)
      .values({ id, userId, publicKey, signCount: checked.signCount, lastUsedAt: now, createdAt: now }),
  ]);
}

/**
 * Removes the app, or the passkey `which`. With the last of them, the recovery codes go. `mayBeLast`: whether it may be
 * the last.
 */
export async function removeStep(
  services: TwoStepServices,
  userId: string,
  which: "app" | string,
  mayBeLast: boolean,
): Promise<StepChange> {
  const isIt = and(eq(passkeys.id, which), eq(passkeys.userId, userId));
  const removal =
    which === "app"
      ? build
          .delete(authenticators)
          .where(and(eq(authenticators.userId, userId), isNotNull(authenticators.confirmedAt)))
      : build.delete(passkeys).where(isIt);
  return change(services, userId, which === "app" ? "app_removed" : "passkey_removed", [
    removal,
    expectOneChange(),
    ...(mayBeLast ? [] : [expectThat(hasSecondStep(userId))]),
    setRecoveryCodes(userId, null, not(hasSecondStep(userId))),
  ]);
}

/** Ten new recovery codes in place of the earlier ones. Null without a second step. */
export async function renewRecoveryCodes(services: TwoStepServices, userId: string): Promise<string[] | null> {
  const { codes, stored } = newCodesFor(services, userId);
  const done = await commits(services, [
    ...tellTwoStepChanged(services, userId, "recovery_renewed"),
    expectThat(hasSecondStep(userId)),
    setRecoveryCodes(userId, stored),
    ...noteAccessChange(userId, services.now()),
  ]);
  return done ? codes : null;
}

/**
 * Takes every second step from an account, ends its sessions and tells its owner. For an owner of the site who helps.
 * The operator's command doesn't know the pepper (null): then the account's owner gets no link to undo it.
 */
export function resetSteps(userId: string, services: ChangeServices): Statement[] {
  const now = services.now();
  return [
    ...tellTwoStepChanged(services, userId, "reset"),
    build.delete(authenticators).where(eq(authenticators.userId, userId)),
    build.delete(passkeys).where(eq(passkeys.userId, userId)),
    setRecoveryCodes(userId, null),
    forgetWrongCodes(userId),
    endSessionsOf(userId, now),
    ...noteAccessChange(userId, now),
  ];
}

/**
 * Gives an account the second steps that it had before, and takes those that were added since. What is still there
 * stays as it is, so that no code works twice.
 */
export function restoreSteps(userId: string, { app, passkeys: keys, codes }: AccountBefore): Statement[] {
  const { secret } = authenticators;
  const had = sql`SELECT value ->> 'id', value ->> 'publicKey' FROM json_each(${JSON.stringify(keys)})`;
  const isKept = sql`(${passkeys.id}, ${passkeys.publicKey}) IN (${had})`;
  const isInTheWay = inArray(
    passkeys.id,
    keys.map(({ id }) => id),
  );
  return [
    build
      .delete(authenticators)
      .where(
        and(eq(authenticators.userId, userId), or(isNull(authenticators.confirmedAt), ne(secret, app?.secret ?? ""))),
      ),
    ...(app
      ? [
          build
            .insert(authenticators)
            .values({ userId, startedBy: "", ...app })
            .onConflictDoNothing(),
        ]
      : []),
    // Anybody can claim that their passkey has the id of somebody else's.
    build.delete(passkeys).where(and(or(eq(passkeys.userId, userId), isInTheWay), not(isKept))),
    ...keys.map((key) =>
      build
        .insert(passkeys)
        .values({ userId, ...key })
        .onConflictDoNothing(),
    ),
    setRecoveryCodes(userId, codes, sql`${credentials.recoveryCodesAt} IS NOT ${codes?.createdAt ?? null}`),
  ];
}

function endSessionsOf(userId: string, now: number): Statement {
  return build
    .update(credentials)
    .set({ sessionEpoch: sql`${credentials.sessionEpoch} + 1`, updatedAt: now })
    .where(eq(credentials.id, userId));
}

function newCodesFor({ passwordPepper, now }: TwoStepServices, userId: string) {
  const codes = newRecoveryCodes();
  const hashes = codes.map((code) => hashRecoveryCode(userId, code, passwordPepper));
  return { codes, stored: { hashes, createdAt: now() } };
}

/** Replaces the recovery codes of an account where `only` holds. */
function setRecoveryCodes(userId: string, codes: AccountBefore["codes"], only?: SQL): Statement {
  return build
    .update(credentials)
    .set({ recoveryCodes: codes?.hashes ?? null, recoveryCodesAt: codes?.createdAt ?? null })
    .where(and(eq(credentials.id, userId), only));
}

async function change(
  services: TwoStepServices,
  userId: string,
  what: TwoStepChange,
  statements: Statement[],
): Promise<StepChange> {
  const isAddition = what === "app_added" || what === "passkey_added";
  const recovery = newCodesFor(services, userId);
  const now = services.now();
  const writes = [
    ...tellTwoStepChanged(services, userId, what),
    ...statements,
    // Those that somebody has already stay.
    ...(isAddition ? [setRecoveryCodes(userId, recovery.stored, isNull(credentials.recoveryCodes))] : []),
    endSessionsOf(userId, now),
    ...noteAccessChange(userId, now),
  ];
  try {
    const {
      account: [account],
      kept: [kept],
      left: [left],
    } = await write(services.db, {
      writes,
      account: epochOf(userId),
      kept: recoveryCodesOf(userId),
      left: oneRow({ hasSecondStep: asBoolean(hasSecondStep(userId)) }),
    });
    if (!account || !left) return { ok: false, code: "stale" };
    const first = hashRecoveryCode(userId, recovery.codes[0] ?? "", services.passwordPepper);
    return { ok: true, ...account, ...left, codes: kept?.hashes?.includes(first) ? recovery.codes : null };
  } catch (error) {
    if (error instanceof PreconditionFailed || error instanceof UniqueViolation) return { ok: false, code: "stale" };
    throw error;
  }
}
