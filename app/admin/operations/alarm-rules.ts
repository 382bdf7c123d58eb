/** Figures that the operators are told about when they leave their band: pure rules and words. */

import type { AlarmName } from "#app/db/states/alarm.ts";
import { MINUTE_MS, DAY_MS } from "#app/platform/duration-rules.ts";

/** How far back the figures about payments look, ms. */
export const PAYMENTS_WINDOW_MS = 30 * MINUTE_MS;
/** The job counts as silent after so long without a run, ms. */
export const SILENT_MS = 5 * MINUTE_MS;
/** How long a transfer may be due, ms. */
export const TRANSFER_LATE_MS = 60 * MINUTE_MS;
/** How long a transfer may wait for our team without a change, ms. */
const TRANSFER_PARKED_MS = DAY_MS;
/**
 * How long an email may be late, whether it fails or was never tried, ms. News may wait longer: there may be much of
 * it.
 */
export const EMAIL_LATE_MS = 30 * MINUTE_MS;
export const NEWS_LATE_MS = 3 * 60 * MINUTE_MS;
/** How long Safaricom takes an initiator's password, in days, and how long before its end the operators are told. */
export const CREDENTIAL_LIFE_DAYS = 90;
const CREDENTIAL_NOTICE_DAYS = 10;
/** The most that a D1 database holds, in bytes. */
const DATABASE_BYTES = 10_000_000_000;
/** An alarm is over once its figure was in its band for so long, ms, so that one that comes and goes is told once. */
const CALM_MS = 10 * MINUTE_MS;

/** Fewer payments than these in the window say nothing. */
const PAYMENTS_MIN = 10;
const PROMPTS_MIN = 5;

export interface Alarm {
  /** What is wrong, as a heading. */
  title: string;
  /** What to do, a step a line. */
  steps: readonly string[];
  /** The figure in words. */
  figure(value: number): string;
  isOut(value: number): boolean;
  /** What its end means, where that isn't that all is well. */
  over?: string;
  /** `/api/health` answers 503 while it is on: money can't move, or nothing else can tell. */
  stopsHealth: boolean;
}

const many = (count: number, one: string, more: string) => `${count} ${count === 1 ? one : more}`;

/** A time in its two largest units: "45 minutes", "20 hours and 7 minutes", "3 days and 2 hours". */
export function durationText(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  const days = Math.floor(hours / 24);
  const parts =
    days > 0
      ? [many(days, "day", "days"), many(hours % 24, "hour", "hours")]
      : [many(hours, "hour", "hours"), many(minutes % 60, "minute", "minutes")];
  return parts.filter((part) => !part.startsWith("0 ")).join(" and ") || many(0, "minute", "minutes");
}

/** Each alarm, and when its figure is outside its band. */
export const ALARMS: Record<AlarmName, Alarm> = {
  job_silent: {
    title: "The scheduled job has stopped",
    steps: [
      "Look in Cloudflare's dashboard under Workers, chuoni, Settings, Triggers: there must be the cron * * * * *.",
      "Look at its last runs under Cron Events, and in the logs for schedule_failed.",
      "Deploy again (npm run deploy). Until it runs, no payout, refund or email leaves by itself.",
    ],
    figure: (minutes) => `Its last run was ${durationText(minutes)} ago.`,
    isOut: (minutes) => minutes >= SILENT_MS / MINUTE_MS,
    stopsHealth: true,
  },
  prompts_dead: {
    title: "No M-Pesa prompt gets an answer",
    steps: [
      "Look at Money, Discrepancies: it names a wrong setting, a full paybill or a refusal of M-Pesa's.",
      "Run npm run doctor: it tries the keys and the callbacks.",
      "If both are fine, call Safaricom's API support with a request's time and CheckoutRequestID.",
    ],
    over: "Somebody has answered a prompt, or none has failed for half an hour because nobody tried to pay. If the cause is still there, the next five that fail raise it again.",
    figure: (count) => `The last ${many(count, "prompt was", "prompts were")} refused or not answered.`,
    isOut: (count) => count >= PROMPTS_MIN,
    stopsHealth: true,
  },
  payments_failing: {
    title: "Too few payments succeed",
    steps: [
      "Look at Money, Payments: which code do the failed ones have?",
      "One code in all of them is a fault of ours or of M-Pesa's: run npm run doctor.",
    ],
    over: "Payments succeed again, or nobody has tried to pay for half an hour. If the cause is still there, the next that fail raise it again.",
    figure: (percent) =>
      `${percent} % of the payments of the last 30 minutes succeeded, without those that the buyer declined.`,
    isOut: (percent) => percent < 80,
    stopsHealth: false,
  },
  money_stopped: {
    title: "M-Pesa refuses our payouts or refunds",
    steps: [
      "Look at Money, Discrepancies: its code says why.",
      "Code 1: top up the utility account. 8006 or 2001: set a new initiator password and security credential. 21 or 2028: give the initiator its roles.",
      "What waits goes on by itself within 15 minutes, after another code than 1 within an hour. To go on at once, press Try Again at one that is stopped, under Payouts and Refunds.",
    ],
    figure: (count) => `${many(count, "way", "ways")} to send money ${count === 1 ? "is" : "are"} stopped.`,
    isOut: (count) => count > 0,
    stopsHealth: true,
  },
  transfers_late: {
    title: "A payout or refund is more than an hour late",
    steps: [
      "Look at Money, Payouts and Refunds: the oldest says why it waits.",
      "Many at once that say nothing: the job doesn't get to them. Look in the logs for job_failed.",
    ],
    figure: (minutes) => `The oldest has waited for ${durationText(minutes)}.`,
    isOut: (minutes) => minutes > TRANSFER_LATE_MS / MINUTE_MS,
    stopsHealth: true,
  },
  transfers_parked: {
    title: "A payout or refund has waited for our team for a day",
    steps: [
      "Look at Money, Payouts and Refunds, Stopped: each says what it waits for.",
      'Fix the cause and press "Try Again", or send it by hand.',
    ],
    figure: (minutes) => `The oldest has waited for ${durationText(minutes)}.`,
    isOut: (minutes) => minutes > TRANSFER_PARKED_MS / MINUTE_MS,
    stopsHealth: false,
  },
  books_off: {
    title: "The books don't balance",
    steps: [
      "Look at Money, Ledger: it names each item, refund or account that doesn't match.",
      "We know of no cause, so find it before you resolve the discrepancy.",
    ],
    figure: (count) => `${many(count, "difference is", "differences are")} open.`,
    isOut: (count) => count > 0,
    stopsHealth: false,
  },
  emails_failing: {
    title: "Emails aren't sent",
    steps: [
      "Look at Operations: each failed email has the provider's error.",
      "429 is a used-up quota: wait, or take a larger plan. 401 or 403 is a wrong key or a sender that isn't verified.",
      'Then press "Send All Again".',
      "Operations shows no failed email: none was tried. Look in the logs for job_failed and outbox_dead.",
    ],
    figure: (count) => `${many(count, "email has", "emails have")} waited for more than 30 minutes.`,
    isOut: (count) => count > 0,
    stopsHealth: true,
  },
  storage_full: {
    title: "The database is almost full",
    steps: [
      "Read docs/growth.md: it says what grows, and what is deleted when.",
      "A D1 database holds 10 GB and can't be made larger. Full, it takes no order and no payment.",
    ],
    figure: (percent) => `${percent} % of 10 GB are used.`,
    isOut: (percent) => percent >= 80,
    stopsHealth: false,
  },
  credential_old: {
    title: "M-Pesa's security credential is about to expire",
    steps: [
      "Set a new password for the initiator in the M-Pesa portal, and encrypt it (docs/deploying/safaricom.md).",
      "npx wrangler secret put DARAJA_SECURITY_CREDENTIAL --env production",
      "Then run npm run doctor. Once the password has expired, no payout, refund or look-up works.",
    ],
    figure: (days) =>
      `It is in use for ${many(days, "day", "days")}. Safaricom's passwords end after ${CREDENTIAL_LIFE_DAYS}.`,
    isOut: (days) => days >= CREDENTIAL_LIFE_DAYS - CREDENTIAL_NOTICE_DAYS,
    stopsHealth: false,
  },
};

/** An alarm that is on. Times in ms since 1970. */
export interface OpenAlarm {
  since: number;
  /** Since when its figure is in its band again; null while it isn't. */
  calmSince: number | null;
}

/**
 * What follows from a figure. `figure`: null where too little happened to say anything; then nothing changes.
 * - `raise`: it has left its band. `end`: it is over. Both are told.
 * - `calm`, `again`: it came back into its band, or left it again before it was over.
 */
export function alarmStep(
  name: AlarmName,
  open: OpenAlarm | null,
  figure: number | null,
  now: number,
): "raise" | "end" | "calm" | "again" | null {
  if (figure === null) return null;
  const isOut = ALARMS[name].isOut(figure);
  if (open === null) return isOut ? "raise" : null;
  if (isOut) return open.calmSince === null ? null : "again";
  if (open.calmSince === null) return "calm";
  return now - open.calmSince >= CALM_MS ? "end" : null;
}

/** How many payments of the window ended so. */
export interface PaymentsEnded {
  paid: number;
  /** The buyer said no, or could not pay: a wrong PIN, too little money. */
  byBuyer: number;
  /** Refused, not answered, or failed for a reason that isn't the buyer's. */
  otherwise: number;
}

/** Reasons of the buyer, or of their account at M-Pesa. The prompt reached them. */
export const BUYERS_REASONS = [
  "cancelled",
  "wrong_pin",
  "insufficient_funds",
  "pin_locked",
  "payer_limit",
  "amount_limit",
  "duplicate_request",
  "payer_busy",
  "invalid_phone",
  "not_registered",
  "account_inactive",
  // The buyer stopped waiting, or our team decided.
  "abandoned",
  "dismissed",
] as const;

/** The share of the payments that succeeded, in percent. In a quiet night nothing fails, so no alarm stays on. */
export function successShare({ paid, otherwise }: PaymentsEnded): number | null {
  if (otherwise === 0) return 100;
  const counted = paid + otherwise;
  return counted < PAYMENTS_MIN ? null : Math.floor((100 * paid) / counted);
}

/** How many prompts were refused or not answered, if all were. None where nobody was asked. */
export function deadPrompts({ paid, byBuyer, otherwise }: PaymentsEnded): number | null {
  if (paid + byBuyer > 0 || otherwise === 0) return 0;
  return otherwise < PROMPTS_MIN ? null : otherwise;
}

/** How full the database is, in percent. */
export function storageShare(bytes: number): number {
  return Math.floor((100 * bytes) / DATABASE_BYTES);
}

/**
 * For how many whole days the credential with this hash is in use. Null where there is none, or where another one was
 * noted last, or none yet. Its password is at least as old.
 */
export function credentialDays(
  noted: { hash: string; since: number } | undefined,
  hash: string | null,
  now: number,
): number | null {
  if (hash === null || noted?.hash !== hash) return null;
  return daysSince(noted.since, now);
}

/** Whole days between a time and now, in ms since 1970. */
export function daysSince(time: number, now: number): number {
  return Math.max(0, Math.floor((now - time) / DAY_MS));
}

/** Whole minutes between two times. */
export function minutesBetween(from: number, to: number): number {
  return Math.max(0, Math.floor((to - from) / MINUTE_MS));
}
