/** What a month costs on Cloudflare: published prices, an assumed month of one student, and the use of each action. */
import type { Meter } from "#app/db/meter.ts";
import type { Kind } from "./growth.ts";

/** What one action uses: bindings, and what the platform counts itself. */
export interface ActionUse extends Meter {
  /** Requests that run the worker. Static files don't. */
  requests: number;
  logLines: number;
  cpuMs: number;
}

/** How often an active student comes in a month: an assumption, as are the numbers of `MONTH`. */
export const VISITS = 12;

/** Deals in a month for each active student: an assumption. */
const DEALS = 0.5;
/**
 * The share of buyers who open the order within ten minutes after it was shipped, or have the item by then. They get no
 * email that says it was shipped. An assumption: nobody has measured it.
 */
export const READS_SOON = 0.5;
/**
 * Emails to the seller that their money was sent, for each deal. The benchmark ends before M-Pesa has paid. At most: one
 * email may be about several deals.
 */
export const PAYOUT_EMAILS = 1;

/**
 * Emails about unread messages that a student gets: two first messages and two of each deal, of which half are read within
 * ten minutes (`READS_SOON`). An assumption, too.
 */
export const MESSAGE_EMAILS = (2 + 2 * DEALS) * (1 - READS_SOON);

/**
 * The commonest actions, in the order of a student's month, and how often one active student does each in a month. These
 * are assumptions, not measurements: replace them with figures of the running site.
 */
export const MONTH = {
  // A visit opens one document and the live connection; later screens load data only. An open connection costs
  // nothing while nothing happens.
  "open the feed": VISITS,
  home: VISITS,
  "next page of the feed": 24,
  search: 12,
  "open a product": 30,
  messages: 12,
  "open an order": 3,
  "My Shop": 3,
  // Links shared in chats, opened by anybody. One in four finds no cached copy.
  "public page, uncached": 1,
  "public page, cached": 3,
  // Pictures that the browser doesn't have yet. One in five isn't in the data centre's cache.
  "picture, uncached": 60,
  "picture, cached": 240,
  "add to cart": 2,
  "buy and pay": DEALS,
  "hand over": DEALS,
  "send a message": 15,
  "list a product, one photo": 0.5,
  "log in": 1,
  "sign up": 0.1,
} as const;

/**
 * Marks of batches that may be repeated (`write_marks`), which a student's actions write in a month: eleven of a deal without
 * trouble. Each action counts them as rows written. The sweep deletes them, and a deleted row is charged as one more.
 */
const MARKS = 11 * DEALS + MONTH["log in"] + 2 * MONTH["sign up"];

/** Done by the system, whatever the number of students: once a minute. */
export const JOB = "job of a minute";
const JOBS_A_MONTH = 60 * 24 * 30;

export type ActionName = keyof typeof MONTH | typeof JOB;

/** The things that are charged by the piece, and those that grow. */
export type Item =
  | "requests"
  | "cpuMs"
  | "logLines"
  | "rowsRead"
  | "rowsWritten"
  | "kvReads"
  | "kvWrites"
  | "r2Reads"
  | "r2Writes"
  | "hubRequests"
  | "hubGbSeconds"
  | "emails"
  | "d1Gb"
  | "r2Gb";

interface Price {
  name: string;
  /** Dollars for `per` pieces beyond the included ones of a month. */
  usd: number;
  per: number;
  included: number;
  /** The page of developers.cloudflare.com. */
  source: string;
}

const MILLION = 1_000_000;

/** Cloudflare's published prices of the Workers Paid plan, in US dollars, as read in November 2026. */
export const PRICES: Readonly<Record<Item, Price>> = {
  requests: {
    name: "Worker requests",
    usd: 0.3,
    per: MILLION,
    included: 10 * MILLION,
    source: "workers/platform/pricing",
  },
  cpuMs: {
    name: "Worker CPU, ms",
    usd: 0.02,
    per: MILLION,
    included: 30 * MILLION,
    source: "workers/platform/pricing",
  },
  logLines: {
    name: "Log lines",
    usd: 0.6,
    per: MILLION,
    included: 20 * MILLION,
    source: "workers/observability/logs/workers-logs",
  },
  rowsRead: {
    name: "D1 rows read",
    usd: 0.001,
    per: MILLION,
    included: 25_000 * MILLION,
    source: "d1/platform/pricing",
  },
  rowsWritten: { name: "D1 rows written", usd: 1, per: MILLION, included: 50 * MILLION, source: "d1/platform/pricing" },
  d1Gb: { name: "D1 storage, GB", usd: 0.75, per: 1, included: 5, source: "d1/platform/pricing" },
  kvReads: { name: "KV reads", usd: 0.5, per: MILLION, included: 10 * MILLION, source: "kv/platform/pricing" },
  kvWrites: { name: "KV writes", usd: 5, per: MILLION, included: MILLION, source: "kv/platform/pricing" },
  r2Reads: { name: "R2 reads (class B)", usd: 0.36, per: MILLION, included: 10 * MILLION, source: "r2/pricing" },
  r2Writes: { name: "R2 writes (class A)", usd: 4.5, per: MILLION, included: MILLION, source: "r2/pricing" },
  r2Gb: { name: "R2 storage, GB", usd: 0.015, per: 1, included: 10, source: "r2/pricing" },
  hubRequests: {
    name: "Durable Object requests",
    usd: 0.15,
    per: MILLION,
    included: MILLION,
    source: "durable-objects/platform/pricing",
  },
  hubGbSeconds: {
    name: "Durable Object duration, GB-s",
    usd: 12.5,
    per: MILLION,
    included: 400_000,
    source: "durable-objects/platform/pricing",
  },
  emails: { name: "Emails", usd: 0.35, per: 1000, included: 3000, source: "email-service/platform/pricing" },
};

/** The Workers Paid plan, US dollars a month. */
export const PLAN_USD = 5;

/**
 * What the same student adds to the database in a month. A sale without trouble has two callbacks and three emails, or
 * four where the buyer doesn't read soon that the item is shipped. We assume that half of the sales get a review.
 */
export const ADDED: Record<Kind, number> = {
  user: MONTH["sign up"],
  product: MONTH["list a product, one photo"],
  message: MONTH["send a message"],
  order: DEALS,
  callback: 2 * DEALS,
  review: DEALS / 2,
  email: (4 - READS_SOON + PAYOUT_EMAILS) * DEALS + MESSAGE_EMAILS + 2 * MONTH["sign up"],
};

/** Bytes that a student adds in a month, from the bytes of one of each. */
export function addedBytes(bytes: Readonly<Record<Kind, number>>): number {
  return (Object.keys(ADDED) as Kind[]).reduce((sum, kind) => sum + bytes[kind] * ADDED[kind], 0);
}

/**
 * What is kept of a student, as assumptions: what they have added to the database in so many months, and the pictures of
 * listings, which stay for as long as the listing does.
 */
const KEPT = {
  months: 12,
  listings: 6,
  /** Bytes of one photo in all its sizes and formats. */
  photo: 300_000,
  photosOfListing: 2,
} as const;

/** How long a hub is awake for one request, s, and its memory, GB, which Durable Objects are charged for. */
const HUB = { seconds: 0.05, gb: 0.128 };

export interface Line {
  item: Item;
  /** Pieces in a month. */
  amount: number;
  usd: number;
}

export interface Bill {
  students: number;
  /** Dearest first. */
  lines: Line[];
  usd: number;
}

/** What the bill is made from. */
export interface Measured {
  uses: Readonly<Record<ActionName, ActionUse>>;
  /** Bytes of one of each in the database. */
  bytes: Readonly<Record<Kind, number>>;
}

/** The bill of one month with so many active students. */
export function billOf(students: number, measured: Measured): Bill {
  const amounts = amountsOf(students, measured);
  const lines = (Object.keys(PRICES) as Item[])
    .map((item) => ({ item, amount: amounts[item], usd: priceOf(item, amounts[item]) }))
    .toSorted((a, b) => b.usd - a.usd);
  return { students, lines, usd: PLAN_USD + lines.reduce((sum, { usd }) => sum + usd, 0) };
}

/** US dollars for the pieces beyond the included ones. */
export function priceOf(item: Item, amount: number): number {
  const { usd, per, included } = PRICES[item];
  return (Math.max(0, amount - included) * usd) / per;
}

function amountsOf(students: number, { uses, bytes }: Measured): Record<Item, number> {
  const sum = (item: keyof ActionUse) =>
    (Object.keys(MONTH) as (keyof typeof MONTH)[]).reduce(
      (total, action) => total + students * MONTH[action] * uses[action][item],
      JOBS_A_MONTH * uses[JOB][item],
    );
  const hubRequests = sum("hubRequests");
  const pictures = KEPT.listings * KEPT.photosOfListing * KEPT.photo;
  return {
    requests: sum("requests"),
    cpuMs: sum("cpuMs"),
    logLines: sum("logLines"),
    rowsRead: sum("rowsRead"),
    rowsWritten: sum("rowsWritten") + students * MARKS,
    kvReads: sum("kvReads"),
    kvWrites: sum("kvWrites"),
    r2Reads: sum("r2Reads"),
    r2Writes: sum("r2Writes"),
    hubRequests,
    hubGbSeconds: hubRequests * HUB.seconds * HUB.gb,
    // The buyers whom the benchmark plays read soon, and so do the readers of its messages.
    emails: sum("emails") + students * (MONTH["hand over"] * (1 - READS_SOON + PAYOUT_EMAILS) + MESSAGE_EMAILS),
    d1Gb: (students * KEPT.months * addedBytes(bytes)) / 1e9,
    r2Gb: (students * pictures) / 1e9,
  };
}
