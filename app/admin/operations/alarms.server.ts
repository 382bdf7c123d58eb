import { ORDINARY_WAITS, SELLER_CAN_REMOVE } from "#app/payments/transfers/transfer-rules.ts";
import { and, eq, gt, inArray, isNull, lt, min, ne, notInArray, or, type SQL, sql } from "drizzle-orm";
import { type Statement, expectOneChange, read, tryWrite } from "#app/db/batch.ts";
import { build, oneRow } from "#app/db/build.ts";
import type { Logging, Store } from "#app/db/client.ts";
import { IS_FAILING, isUntried } from "#app/db/outbox.ts";
import { alarms } from "#app/admin/tables.server.ts";
import { discrepancies, paymentAttempts, payouts, refunds } from "#app/payments/tables.server.ts";
import { leases, outbox } from "#app/db/tables.server.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ALARM_NAMES, type AlarmName } from "#app/db/states/alarm.ts";
import { ATTEMPT } from "#app/db/states/attempt.ts";
import { TRANSFER, type WaitReason } from "#app/db/states/transfer.ts";
import type { DiscrepancyKind } from "#app/payments/books/discrepancies.server.ts";
import { CHANNEL_LEASES } from "#app/payments/transfers/paused-channels.server.ts";
import {
  ALARMS,
  alarmStep,
  BUYERS_REASONS,
  credentialDays,
  deadPrompts,
  EMAIL_LATE_MS,
  NEWS_LATE_MS,
  minutesBetween,
  type OpenAlarm,
  PAYMENTS_WINDOW_MS,
  SILENT_MS,
  storageShare,
  successShare,
  TRANSFER_LATE_MS,
} from "./alarm-rules.ts";
import { writeToAdmin } from "#app/notifications/notify.server.ts";
import { type CredentialServices, noteCredential, selectCredential } from "./operator-dates.server.ts";

interface AlarmServices extends Store, Logging {
  /** The operators' addresses. */
  adminEmails: string[];
  supportEmail: string;
}

type Figures = Partial<Record<AlarmName, number | null>>;

/** An alarm that is on. */
export type AlarmRow = typeof alarms.$inferSelect;

/**
 * Measures every figure and tells the operators of each that has left its band, and of each that is back. Every step is
 * guarded, so that two runs at once tell it once.
 */
export async function watchFigures(services: AlarmServices & CredentialServices): Promise<void> {
  const { figures, open, credential } = await measure(services);
  await noteCredential(services, credential);
  for (const name of ALARM_NAMES)
    await takeStep(services, name, open.find((row) => row.name === name) ?? null, figures[name] ?? null);
}

/** The query for the alarms that are on, the oldest first. */
export function openAlarms() {
  return build.select().from(alarms).orderBy(alarms.since);
}

/** While this lease runs, the job has run lately. Each run begins it anew. */
const JOB_ALIVE = "schedule_alive";

/** The statement that notes a run of the job. */
export function noteRun(now: number): Statement {
  const until = now + SILENT_MS;
  return build
    .insert(leases)
    .values({ name: JOB_ALIVE, until })
    .onConflictDoUpdate({ target: leases.name, set: { until } });
}

/** The query for the end of the job's lease, which gives its last run (`lastRunOf`). */
export function selectJobLease() {
  return build.select({ until: leases.until }).from(leases).where(eq(leases.name, JOB_ALIVE));
}

/** When the job last ran, ms since 1970; null if it never did. */
export function lastRunOf([lease]: { until: number }[]): number | null {
  return lease ? lease.until - SILENT_MS : null;
}

/**
 * Tells the operators if the job is silent, which the job itself can't. For requests. A job that never ran is no news
 * here: the deployment's check says so. Returns whether an email was queued.
 */
export async function watchJob(services: AlarmServices): Promise<boolean> {
  const { lease, open } = await read(services.db, {
    lease: selectJobLease(),
    open: build.select().from(alarms).where(eq(alarms.name, "job_silent")),
  });
  const ran = lastRunOf(lease);
  return ran !== null && takeStep(services, "job_silent", open[0] ?? null, minutesBetween(ran, services.now()));
}

/**
 * What stops the job, the money or the emails, in words, for a monitor. It looks at the job's last run itself, because
 * a silent job measures nothing.
 */
export async function findStops({ db, now }: Store): Promise<string[]> {
  const { lease, open } = await read(db, { lease: selectJobLease(), open: openAlarms() });
  const ran = lastRunOf(lease);
  const isSilent = ran === null || ALARMS.job_silent.isOut(minutesBetween(ran, now()));
  const names = open.map(({ name }) => name).filter((name) => name !== "job_silent" && ALARMS[name].stopsHealth);
  return [...(isSilent ? (["job_silent"] as const) : []), ...names].map((name) => ALARMS[name].title);
}

/** Writes what follows from the figure. Returns whether emails were queued. */
async function takeStep(
  services: AlarmServices,
  name: AlarmName,
  open: OpenAlarm | null,
  figure: number | null,
): Promise<boolean> {
  const now = services.now();
  const step = alarmStep(name, open, figure, now);
  if (step === null || figure === null) return false;
  const own = and(eq(alarms.name, name), open ? eq(alarms.since, open.since) : undefined);
  const since = open?.since ?? now;
  const change = {
    raise: build.insert(alarms).values({ name, figure, since }).onConflictDoNothing(),
    calm: build.update(alarms).set({ calmSince: now, figure }).where(own),
    again: build.update(alarms).set({ calmSince: null, figure }).where(own),
    end: build.delete(alarms).where(own),
  }[step];
  const isTold = step === "raise" || step === "end";
  const isDone = await tryWrite(services.db, [
    change,
    expectOneChange(),
    ...(isTold ? tellOperators(services, { name, figure, since, over: step === "end" }, now) : []),
  ]);
  // Somebody else was faster, and has told it.
  if (!isDone) return false;
  if (isTold) services.log({ event: `alarm_${step}`, level: step === "raise" ? "error" : "info", alarm: name, figure });
  return isTold;
}

function tellOperators(
  { adminEmails, supportEmail }: AlarmServices,
  data: { name: AlarmName; figure: number; since: number; over: boolean },
  now: number,
): Statement[] {
  const { name: alarm, ...facts } = data;
  return (adminEmails.length > 0 ? adminEmails : [supportEmail]).flatMap((to) => {
    const key = `alarm:${alarm}:${facts.since}:${facts.over ? "over" : "on"}:${to}`;
    return writeToAdmin(to, { kind: "alarm", data: { alarm, ...facts } }, key, now);
  });
}

/** When the job last ran, ms since 1970; null if it never did. */
export async function readLastRun({ db }: Store): Promise<number | null> {
  const lease = await read(db, selectJobLease());
  return lastRunOf(lease);
}

/** What is wrong now, in words. */
export async function openAlarmTitles({ db }: Store): Promise<string[]> {
  const open = await read(db, openAlarms());
  return open.map(({ name }) => ALARMS[name].title);
}

async function measure({ db, now, credentialHash }: CredentialServices) {
  const at = now();
  const { paid, byBuyer, otherwise } = endedPayments;
  const {
    ended: [ended],
    latePayout: [latePayout],
    lateRefund: [lateRefund],
    parkedPayout: [parkedPayout],
    parkedRefund: [parkedRefund],
    facts: [facts],
    open,
    credential: [credential],
    size,
  } = await read(db, {
    ended: build
      .select({ paid, byBuyer, otherwise })
      .from(paymentAttempts)
      .where(gt(paymentAttempts.settledAt, at - PAYMENTS_WINDOW_MS)),
    latePayout: latestOf(payouts, at),
    lateRefund: latestOf(refunds, at),
    parkedPayout: longestParked(payouts, SELLER_CAN_REMOVE),
    parkedRefund: longestParked(refunds),
    facts: oneRow({
      booksOff: build.$count(
        discrepancies,
        and(isNull(discrepancies.resolvedAt), eq(discrepancies.kind, "books" satisfies DiscrepancyKind)),
      ),
      stopped: build.$count(leases, and(inArray(leases.name, CHANNEL_LEASES), gt(leases.until, at))),
      emails: lateEmails(at),
    }),
    open: openAlarms(),
    credential: selectCredential(),
    // Each answer of D1 says how large the database is.
    size: sql`SELECT 1`,
  });
  const waited = (...oldest: ({ since: number | null } | undefined)[]) =>
    minutesBetween(Math.min(...oldest.map((found) => found?.since ?? at)), at);
  return {
    open,
    credential,
    figures: {
      prompts_dead: ended ? deadPrompts(ended) : null,
      payments_failing: ended ? successShare(ended) : null,
      money_stopped: facts?.stopped ?? null,
      transfers_late: waited(latePayout, lateRefund),
      transfers_parked: waited(parkedPayout, parkedRefund),
      books_off: facts?.booksOff ?? null,
      emails_failing: facts?.emails ?? null,
      storage_full: storageShare(size.meta.size_after),
      credential_old: credentialDays(credential, credentialHash, at),
      // It runs.
      job_silent: 0,
    } satisfies Figures,
  };
}

const isPaid = stateIs(paymentAttempts.state, ATTEMPT.isPaid);
const isBuyers = sql`COALESCE(${paymentAttempts.failureReason} IN ${BUYERS_REASONS}, 0)`;
const sumOf = (condition: SQL) => sql<number>`COALESCE(SUM(${condition}), 0)`.mapWith(Number);

/** How the payments ended. */
const endedPayments = {
  paid: sumOf(isPaid).as("paid"),
  byBuyer: sumOf(sql`NOT ${isPaid} AND ${isBuyers}`).as("byBuyer"),
  otherwise: sumOf(sql`NOT ${isPaid} AND NOT ${isBuyers}`).as("otherwise"),
};

/**
 * The query for the oldest transfer that is late: it keeps failing, or the job doesn't get to it. Only what is still to
 * be sent or looked up has a next time.
 */
function latestOf(table: typeof payouts | typeof refunds, now: number) {
  const { createdAt, nextActionAt, waitReason } = table;
  const limit = now - TRANSFER_LATE_MS;
  const isFailing = and(
    ne(waitReason, "parked_by_admin"),
    notInArray(waitReason, ORDINARY_WAITS),
    lt(createdAt, limit),
  );
  return build
    .select({ since: sql<number | null>`MIN(iif(${isFailing}, ${createdAt}, ${nextActionAt}))`.as("since") })
    .from(table)
    .where(and(gt(nextActionAt, 0), or(isFailing, lt(nextActionAt, limit))));
}

/**
 * The query for the transfer that has waited the longest for our team, since its last change. `others`: reasons that
 * somebody else removes. What an admin parked waits on purpose, and what the job tries again has a next time.
 */
function longestParked(table: typeof payouts | typeof refunds, others: WaitReason[] = []) {
  const { state, nextActionAt, updatedAt, waitReason } = table;
  return build
    .select({ since: min(updatedAt).as("since") })
    .from(table)
    .where(
      and(
        stateIs(state, TRANSFER.isParked),
        isNull(nextActionAt),
        notInArray(waitReason, ["parked_by_admin", ...others]),
      ),
    );
}

/**
 * How many emails are late because the provider fails, and not because of their address, or because nobody has tried
 * them.
 */
function lateEmails(now: number): SQL<number> {
  const isLate = lt(outbox.createdAt, now - EMAIL_LATE_MS);
  const failing = build.$count(outbox, and(IS_FAILING, ne(outbox.fault, "email"), isLate));
  const untried = build.$count(outbox, isUntried({ since: now - EMAIL_LATE_MS, newsSince: now - NEWS_LATE_MS }));
  return sql<number>`(${failing} + ${untried})`.mapWith(Number);
}
