/**
 * The day of an outage: people buy and get their money, and for a while one thing doesn't work. The operators are told
 * once that it began and once that it is over, or not at all where it ends before its figure leaves its band.
 */
import { insertListing } from "#app/catalogue/write-listings.server.ts";
import { afterListingsChanged } from "#app/catalogue/listing-effects.server.ts";
import { noteRun, watchFigures, watchJob } from "#app/admin/operations/alarms.server.ts";
import { write } from "#app/db/batch.ts";
import { idList } from "#app/db/build.ts";
import { openDatabase } from "#app/db/client.ts";
import type { AlarmName } from "#app/db/states/alarm.ts";
import { ITEM } from "#app/db/states/item.ts";
import type { DealServices } from "#app/deals/deal-services.ts";
import { placeOrder } from "#app/orders/place-order.server.ts";
import { TRANSFER_LATE_MS } from "#app/admin/operations/alarm-rules.ts";
import { checkBooks } from "#app/payments/books/check-books.server.ts";
import { requestOrderPayment } from "#app/payments/collect/request-payment.server.ts";
import { drainOutbox } from "#workers/jobs/send-outbox.ts";
import { MailNotSent } from "#workers/mail/retry-rules.ts";
import { type Item, perform } from "./deals.ts";
import { type Campus, servicesOf } from "./invocation.ts";
import type { OrdinaryDay } from "./faults.ts";
import { type Person, personStatements } from "./people.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const OPERATORS = ["otieno@operators.test", "wanjiru@operators.test"];

/** A day, and what doesn't work on it. */
interface Day {
  campus: Campus;
  /** What M-Pesa does on it. */
  ordinary: OrdinaryDay;
  seller: Person;
  /** What the job does besides the books, the alarms and the emails. */
  advance(services: DealServices): Promise<unknown>;
  purchases: number;
  runsJob: boolean;
  /** A second run of the job at the same time may be stopped anywhere. */
  stopsJobs: boolean;
  sendsEmails: boolean;
  /** The email provider answers that our quota is used up. */
  refusesEmails: boolean;
}

/**
 * Plays an outage from its begin, beyond its band (`isLong`) or not. Returns what ends it, and within how many ms it
 * must then be told to be over.
 */
type Play = (day: Day, isLong: boolean) => Promise<{ end(): Promise<unknown>; overAfterMs: number }>;

/** By the alarm that tells of each. */
const OUTAGES = {
  async prompts_dead(day, isLong) {
    day.ordinary.customers = "1037";
    await buy(day, isLong ? between(day, 5, 7) : between(day, 1, 4));
    await pass(day, 5 * MINUTE);
    day.ordinary.customers = "0";
    return { end: () => buy(day, 2), overAfterMs: 20 * MINUTE };
  },
  async payments_failing(day, isLong) {
    await buy(day, 8);
    day.ordinary.customers = "1037";
    await buy(day, isLong ? 3 : 2);
    await pass(day, 4 * MINUTE);
    day.ordinary.customers = "0";
    return { end: () => buy(day, 6), overAfterMs: 20 * MINUTE };
  },
  async money_stopped(day, isLong) {
    // What a stopped run has claimed is looked up, and perhaps parked, so no alarm must tell of it.
    day.stopsJobs = false;
    await buy(day, between(day, 1, 2));
    await pass(day, 5 * MINUTE);
    day.campus.mPesa.object.change({ emptyAccounts: true });
    if (isLong) await payOut(day);
    // Less than an hour with what follows, or else the transfers are late, too.
    await pass(day, between(day, 10, 32) * MINUTE);
    day.campus.mPesa.object.change({ emptyAccounts: false });
    return { end: async () => {}, overAfterMs: 40 * MINUTE };
  },
  async transfers_late(day, isLong) {
    day.stopsJobs = false;
    await buy(day, between(day, 1, 2));
    await pass(day, 5 * MINUTE);
    day.ordinary.transfers = "busy";
    await payOut(day);
    await pass(day, (isLong ? between(day, 70, 90) : between(day, 10, 45)) * MINUTE);
    day.ordinary.transfers = "work";
    return { end: async () => {}, overAfterMs: 25 * MINUTE };
  },
  async books_off(day) {
    const { d1, stage } = day.campus;
    const book = (id: string, amount: number) =>
      d1
        .prepare(
          `INSERT INTO ledger_entries (id, transaction_id, account, kind, amount, created_at)
            VALUES (?, 'off', 'escrow', ?, ?, ?)`,
        )
        .bind(id, id, amount, stage.now)
        .run();
    await book("wrong", 5);
    await pass(day, 6 * MINUTE);
    await book("corrected", -5);
    return {
      end: () => d1.prepare("UPDATE discrepancies SET resolved_at = ? WHERE kind = 'books'").bind(stage.now).run(),
      overAfterMs: 20 * MINUTE,
    };
  },
  async emails_failing(day, isLong) {
    day.sendsEmails = true;
    day.refusesEmails = true;
    await buy(day, between(day, 1, 2));
    await pass(day, (isLong ? between(day, 40, 60) : between(day, 1, 5)) * MINUTE);
    day.refusesEmails = false;
    // The last try may have put off the next one by an hour.
    return { end: async () => {}, overAfterMs: 85 * MINUTE };
  },
  async job_silent(day, isLong) {
    await pass(day, MINUTE);
    day.runsJob = false;
    await buy(day, 1);
    if (isLong) await pass(day, between(day, 8, 30) * MINUTE);
    day.runsJob = true;
    return { end: async () => {}, overAfterMs: 20 * MINUTE };
  },
} as const satisfies Partial<Record<AlarmName, Play>>;
export const OUTAGE_NAMES = Object.keys(OUTAGES) as (keyof typeof OUTAGES)[];

/** An outage that a campus had. Times in ms since 1970. */
export interface Outage {
  name: keyof typeof OUTAGES;
  /** Whether it lasted beyond its band. */
  isLong: boolean;
  from: number;
  until: number;
}

/** Plays a day with an outage, and lets everything that was bought end. */
export async function playOutage(campus: Campus, advance: Day["advance"]): Promise<Outage> {
  const { stage, mPesa, d1 } = campus;
  const { chance } = stage;
  const ordinary: OrdinaryDay = { customers: "0", transfers: "work" };
  mPesa.faults.day = ordinary;
  const day: Day = {
    campus,
    ordinary,
    seller: { id: chance.uuid(), phone: "254110000900" },
    advance,
    purchases: 0,
    runsJob: true,
    stopsJobs: true,
    sendsEmails: false,
    refusesEmails: false,
  };
  campus.sellers.push(day.seller);
  await endEmails(campus);
  await write(openDatabase(d1), personStatements(day.seller, stage.now));
  await pass(day, 5 * MINUTE);
  const name = chance.pick(OUTAGE_NAMES);
  // Books that are wrong are always found.
  const isLong = chance.happens(0.7) || name === "books_off";
  stage.note(`outage: ${name} ${isLong ? "is told" : "passes unseen"}`);
  const from = stage.now;
  const { end, overAfterMs } = await OUTAGES[name](day, isLong);
  const until = stage.now;
  await end();
  await pass(day, overAfterMs);
  await payOut(day);
  for (const minutes of [1, 1, 2, 5, 10, 60, 600, 1_500, 10, 10, 1_500, 10]) {
    stage.start("job", (worker) => advance(servicesOf(campus, worker)), 0);
    await stage.play(stage.now + minutes * MINUTE);
  }
  return { name, isLong, from, until };
}

/** All emails that wait have been sent. */
async function endEmails({ d1 }: Campus): Promise<void> {
  await d1.prepare("UPDATE outbox SET done_at = created_at WHERE done_at IS NULL").run();
}

/** One look at the figures, where there was no outage. */
export async function lookAtFigures(campus: Campus): Promise<void> {
  const { stage } = campus;
  await endEmails(campus);
  stage.start("job", (worker) => watchFigures(forOperators(servicesOf(campus, worker))), 0);
  await stage.play(stage.now + MINUTE);
}

function between({ campus }: Day, from: number, to: number): number {
  return campus.stage.chance.between(from, to);
}

function forOperators(services: DealServices) {
  return { ...services, adminEmails: OPERATORS, supportEmail: "help@chuoni.test", credentialHash: null };
}

/** Lets time pass. The job runs every few minutes, sometimes twice at once, and people look at pages. */
async function pass(day: Day, ms: number): Promise<void> {
  const { stage } = day.campus;
  const until = stage.now + ms;
  while (stage.now < until) {
    if (day.runsJob) runJob(day);
    stage.start("a visit", (worker) => watchJob(forOperators(servicesOf(day.campus, worker))), 0);
    await stage.play(Math.min(until, stage.now + between(day, 1, 3) * MINUTE));
  }
}

function runJob(day: Day): void {
  const { campus } = day;
  const run = async (services: DealServices) => {
    await day.advance(services);
    await checkBooks(services);
    if (!day.sendsEmails) await endEmails(campus);
    await watchFigures(forOperators(services));
    const send = () => (day.refusesEmails ? Promise.reject(new MailNotSent("refused", "429")) : Promise.resolve());
    if (day.sendsEmails) await drainOutbox(services, { mailer: { send }, push: null });
    await write(services.db, [noteRun(services.now())]);
  };
  const { stage } = campus;
  stage.start("job 1", (worker) => run(servicesOf(campus, worker)), 0);
  if (stage.chance.happens(0.3))
    stage.start("job 2", (worker) => run(servicesOf(campus, worker)), day.stopsJobs ? 0.5 : 0);
}

/** So many new buyers order and are asked to pay, one after the other. */
async function buy(day: Day, count: number): Promise<void> {
  const { stage } = day.campus;
  for (let n = 0; n < count; n += 1) {
    purchase(day);
    await stage.play(stage.now + between(day, 4, 9) * SECOND);
  }
  // Until everybody has answered.
  await pass(day, MINUTE);
}

function purchase(day: Day): void {
  const { campus, seller } = day;
  const { stage, buyers } = campus;
  day.purchases += 1;
  const buyer = { id: stage.chance.uuid(), phone: `25472290${String(1_000 + day.purchases)}` };
  const productId = stage.chance.uuid();
  const price = stage.chance.pick([10, 250, 1_900]);
  buyers.push(buyer);
  const work = async (services: DealServices) => {
    const now = services.now();
    await write(services.db, [
      ...personStatements(buyer, now),
      insertListing({
        id: productId,
        name: "Casio",
        description: "-",
        price,
        location: "Main",
        sellerId: seller.id,
        createdAt: now,
        updatedAt: now,
      }),
      ...afterListingsChanged(idList(productId), now),
    ]);
    const from = { productId, quantity: 1, revision: 0 };
    const placed = await placeOrder(services, {
      userId: buyer.id,
      idempotencyKey: productId,
      expectedAmount: price,
      from,
    });
    if (!placed.ok) throw new Error(`order refused: ${placed.code}`);
    const { orderId } = placed;
    const asked = await requestOrderPayment(services, { orderId, userId: buyer.id, phone: buyer.phone });
    if (!asked.ok) throw new Error(`payment refused: ${asked.code}`);
  };
  stage.start("a purchase", (worker) => work(servicesOf(campus, worker)), 0);
}

/** The money of everything that is held leaves: buyers cancel, or sellers enter the code. */
async function payOut({ campus, seller }: Day): Promise<void> {
  const { d1, stage } = campus;
  const { results } = await d1
    .prepare(
      `SELECT i.id, i.order_id AS orderId, i.status, i.subtotal, o.user_id AS buyerId, i.seller_id AS sellerId
        FROM order_items i JOIN orders o ON o.id = i.order_id WHERE i.seller_id = ? AND ${ITEM.isHeld.sql("i.status")}
          ORDER BY i.rowid`,
    )
    .bind(seller.id)
    .all<Item>();
  for (const item of results) perform(campus, item, stage.chance.pick(["cancel as buyer", "enter the code"]));
  await stage.play(stage.now + MINUTE);
}

/** Transfers that are still to be sent after everything, because nothing has confirmed their payments. */
const TO_SEND = ["payouts", "refunds"]
  .map((table) => `SELECT wait_reason, created_at, next_action_at FROM ${table} WHERE next_action_at > 0`)
  .join(" UNION ALL ");

/** Whether nothing is late or may become so, so that an outage has one alarm. What was reported waits. */
export async function isCalm(d1: D1Database): Promise<boolean> {
  const waiting = d1.prepare(`SELECT 1 FROM (${TO_SEND}) WHERE COALESCE(wait_reason, '') <> 'reported'`);
  return (await waiting.first()) === null;
}

/**
 * Whether a transfer is late at `now`: it is older than an hour, or the job should have come to it an hour before. Only
 * the latter counts for what waits for its seller or for a report's end.
 */
async function isLate(d1: D1Database, now: number): Promise<boolean> {
  const isOrdinary = "COALESCE(wait_reason, '') IN ('number_changed', 'password_awaited', 'reported')";
  const since = `iif(${isOrdinary}, next_action_at, MIN(created_at, next_action_at))`;
  const late = d1.prepare(`SELECT 1 FROM (${TO_SEND}) WHERE ${since} < ?`).bind(now - TRANSFER_LATE_MS);
  return (await late.first()) !== null;
}

/** What the operators were told, compared with what happened. Returns what is wrong, in words. */
export async function auditAlarms({ d1, outage, stage }: Campus): Promise<string[]> {
  // What was parked before waits on any day.
  const { results: told } = await d1
    .prepare(
      `SELECT dedupe_key AS key, created_at AS at FROM outbox
        WHERE dedupe_key LIKE 'alarm:%' AND dedupe_key NOT LIKE 'alarm:transfers_parked:%' ORDER BY rowid`,
    )
    .all<{ key: string; at: number }>();
  const wanted = outage
    ? outage.isLong
      ? ["on", "over"].map((step) => `${outage.name} ${step}`)
      : []
    : (await isLate(d1, stage.now))
      ? ["transfers_late on"]
      : [];
  const words = told.map(({ key }) => key.split(":")).map(([, name, , step, to]) => `${name} ${step} ${to}`);
  const due = wanted.flatMap((alarm) => OPERATORS.map((to) => `${alarm} ${to}`));
  const wrong: string[] = [];
  if (words.join() !== due.join())
    wrong.push(`${outage?.name ?? "no outage"}: the operators were told ${words.join()}, not ${due.join()}`);
  for (const { key, at } of outage ? told : [])
    if (at < (key.includes(":over:") ? outage!.until : outage!.from)) wrong.push(`${key} was told too early`);
  return wrong;
}
