/** How long what gets old is kept, and who deletes it then. Nothing else in the code deletes by age. */
import { CHECKED_FILE_DAYS } from "./upload-rules.ts";
import { HOUR_MS, DAY_MS } from "#app/platform/duration-rules.ts";

/** Who deletes: the sweep of every hour, the job of every minute, or Cloudflare KV by itself. */
export type Deleter = "sweep" | "payments" | "kv";

export interface Retention {
  /** What is deleted, in words that people read. */
  what: string;
  /** "… after" this. */
  since: string;
  keptMs: number;
  why: string;
  by: Deleter;
  /** It is about people who use the site, so the Privacy Policy names it. */
  isPersonal: boolean;
}

/** The rows in the order in which the documents show them. `app` has a step for each (`workers/jobs/sweep.ts`). */
export const RETENTION = {
  emails: {
    what: "Emails and push notifications that we sent",
    since: "they were sent or given up",
    keptMs: 180 * DAY_MS,
    why: "nothing sends the same one again, and our team can look up what was sent",
    by: "sweep",
    isPersonal: true,
  },
  found_listings: {
    what: "Which listings a saved search, wish or followed shop has told somebody of",
    since: "they were told",
    keptMs: 180 * DAY_MS,
    why: "nobody is told of the same listing again",
    by: "sweep",
    isPersonal: true,
  },
  notifications: {
    what: "The list of notifications",
    since: "each of them came",
    keptMs: 90 * DAY_MS,
    why: "people find again what they were told",
    by: "sweep",
    isPersonal: true,
  },
  listing_days: {
    what: "How often a listing was viewed and written about on a day",
    since: "that day",
    keptMs: 90 * DAY_MS,
    why: "sellers see figures of up to 90 days",
    by: "sweep",
    isPersonal: true,
  },
  pulled_lists: {
    what: "Counts of M-Pesa's lists of payments",
    since: "they were pulled",
    keptMs: 90 * DAY_MS,
    why: "our team sees that the lists come",
    by: "sweep",
    isPersonal: false,
  },
  ended_sessions: {
    what: "That somebody logged out",
    since: "they did",
    keptMs: 31 * DAY_MS,
    why: "a login that has ended never works again; a day longer than one lives",
    by: "sweep",
    isPersonal: true,
  },
  sessions: {
    what: "A login that is kept on a device",
    since: "its last use",
    keptMs: 30 * DAY_MS,
    why: "people stay logged in where they asked for it",
    by: "kv",
    isPersonal: true,
  },
  checked_documents: {
    what: "The file of a student ID or business document, unless a case about its owner is open",
    since: "our team's decision",
    keptMs: CHECKED_FILE_DAYS * DAY_MS,
    why: "so long a decision can be questioned",
    by: "sweep",
    isPersonal: true,
  },
  links: {
    what: "Links in emails",
    since: "they stopped working",
    keptMs: 30 * DAY_MS,
    why: "an old link says that it is old",
    by: "sweep",
    isPersonal: true,
  },
  evidence: {
    what: "What was reported, of an account that is deleted",
    since: "our team's decision",
    keptMs: 30 * DAY_MS,
    why: "so long a decision can be appealed",
    by: "sweep",
    isPersonal: true,
  },
  stolen_reports: {
    what: "A report of a stolen serial number, with its proof",
    since: "it was taken back",
    keptMs: 30 * DAY_MS,
    why: "so long our team sees it in the cases that it opened",
    by: "sweep",
    isPersonal: true,
  },
  unknown_callbacks: {
    what: "Callbacks without a valid token",
    since: "they came",
    keptMs: 30 * DAY_MS,
    why: "they are nobody's payment, and show who tries",
    by: "sweep",
    isPersonal: false,
  },
  missed_searches: {
    what: "Words of searches that found nothing, without who searched",
    since: "the last such search",
    keptMs: 30 * DAY_MS,
    why: "our team sees what is missing",
    by: "sweep",
    isPersonal: true,
  },
  missed_once: {
    what: "The same words, if they were searched once",
    since: "that search",
    keptMs: 7 * DAY_MS,
    why: "one person's words may be about somebody",
    by: "sweep",
    isPersonal: true,
  },
  counters: {
    what: "Counts of tries by account, email or network address",
    since: "the first one counted",
    keptMs: 2 * DAY_MS,
    why: "they stop people from guessing passwords or flooding the site; none counts for longer",
    by: "sweep",
    isPersonal: true,
  },
  documents: {
    what: "Documents that were uploaded and not sent",
    since: "they were uploaded",
    keptMs: DAY_MS,
    why: "their form may still be sent",
    by: "sweep",
    isPersonal: true,
  },
  photos: {
    what: "Photos that nothing uses",
    since: "they were uploaded or removed",
    keptMs: DAY_MS,
    why: "their form may still be sent",
    by: "sweep",
    isPersonal: true,
  },
  devices: {
    what: "Devices that got push notifications",
    since: "their login ended",
    keptMs: DAY_MS,
    why: "somebody who changed their password logs in again",
    by: "sweep",
    isPersonal: true,
  },
  kept_answers: {
    what: "What M-Pesa said while the database was away, if it can't be applied",
    since: "it came",
    keptMs: 30 * DAY_MS,
    why: "each minute tries again, until a release can apply it; the discrepancy stays",
    by: "payments",
    isPersonal: false,
  },
  probes: {
    what: "What npm run doctor asked for, with the callbacks that came",
    since: "it asked",
    keptMs: DAY_MS,
    why: "an answer may hold the operator's phone number",
    by: "sweep",
    isPersonal: false,
  },
  admin_claims: {
    what: "Which admin works on what waits for our team",
    since: "its two hours are over",
    keptMs: HOUR_MS,
    why: "it counts no more",
    by: "sweep",
    isPersonal: false,
  },
  write_marks: {
    what: "Marks of what was written",
    since: "it was",
    keptMs: HOUR_MS,
    why: "no batch is repeated after so long",
    by: "sweep",
    isPersonal: false,
  },
} as const satisfies Record<string, Retention>;

export type RetainedName = keyof typeof RETENTION;

/** The names that the sweep deletes. */
export type SweptName = {
  [Name in RetainedName]: (typeof RETENTION)[Name]["by"] extends "sweep" ? Name : never;
}[RetainedName];

/** A row of the table with its period in words: "90 days". */
export interface RetainedText {
  what: string;
  period: string;
  since: string;
  why: string;
  by: Deleter;
  isPersonal: boolean;
}

/** The table in words, for the pages and the documents. */
export function retainedTexts(): RetainedText[] {
  return Object.values<Retention>(RETENTION).map(({ keptMs, ...row }) => ({ ...row, period: periodText(keptMs) }));
}

/** A whole number of days or hours: "1 day". */
export function periodText(ms: number): string {
  const [count, unit] = ms % DAY_MS === 0 ? [ms / DAY_MS, "day"] : [ms / HOUR_MS, "hour"];
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
