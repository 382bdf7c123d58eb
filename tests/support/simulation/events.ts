/** Counts the events of the simulations, to prove that they still include every kind. */
import { DEAL_EVENTS, DEAL_REMINDERS, type DealEvent } from "#app/db/states/deal.ts";
import type { Campus } from "./invocation.ts";
import { OUTAGE_NAMES } from "./outages.ts";

/** Every kind of event that must occur, by its words in the story. */
const STORY_PATTERNS: Record<string, RegExp> = {
  ...named("fault", [
    "refusedOnTheWay",
    "answerLost",
    "tokenEnds",
    "queryNoise",
    "callbackLost",
    "callbackTwice",
    "callbackLate",
    "callbackWrong",
    "payoutForgotten",
    "payoutFails",
    "payoutTurnedAway",
  ]),
  ...named("a request is refused on the way", ["network", "firewall", "busy", "spike"]),
  ...named("an answer is lost", ["network", "gateway", "internal"]),
  ...named("its callback is wrong", ["amount", "no receipt", "old receipt", "failure first", "failure last"]),
  ...named("a parked payout is tried again", ["seller", "admin", "both", "by hand"]),
  "an admin takes back that a payout is sent by hand": /a payout is no longer sent by hand$/,
  "a parked refund is tried again": /a parked refund is tried again$/,
  "a worker is stopped": /is stopped at step/,
  "the database is away for 5 s": /the database is away for 5 s$/,
  "the database is away for 30 s": /the database is away for 30 s$/,
  "the database is away for 90 s": /the database is away for 90 s$/,
  "a call is done, and its answer is lost": /a call is done, and its answer is lost$/,
  "nothing was sent, because the database was away": /asked to pay .*: unsent$/,
  "an order is led to another": /led to order/,
  "a buyer uses a different number": /a buyer uses a different number$/,
  "an account is deleted": /an account is deleted: done$/,
  "an account cannot be deleted, for money is on its way": /an account is deleted: [a-z]+_[a-z]+$/,
  "an account is suspended": /an account is suspended: true$/,
  "an account is restored": /an account is restored$/,
  "a code is entered that was closed": /: enter the code: code_closed$/,
  "a code is entered while a report is open": /: enter the code: reported$/,
  "one of many codes at once is right": /one of many codes: done$/,
  "two of us decide at once, and one is too late": /admin: decide to .*: stale$/,
  "a decision waits for a second admin": /admin: decide to .*: proposed$/,
  "the deals of a suspended account wait": /the deals of a suspended account wait for a second admin$/,
  ...named("a second admin", ["confirmed", "declined"]),
  "somebody acts on an old page": /(buyer|seller): .*: wrong_state$/,
  "somebody blocks somebody": /somebody blocks somebody$/,
  "a thief changes where a seller's money goes": /a thief changes where a seller's money goes: true$/,
  "a thief's password no longer opens anything": /a thief's password no longer opens anything$/,
  "an owner takes their account back": /an owner takes their account back: done$/,
  "an owner chooses a new password": /an owner chooses a new password$/,
  "a buyer and a seller part": /a buyer and a seller part$/,
  "a file of listings is imported": /rows of a file are imported$/,
  ...named("seller: edit the stock", ["done", "stock_changed", "stock_reserved"]),
  ...named("seller: edit the listing", ["done", "changed"]),
  ...named("seller: restock", ["true", "false"]),
  ...named("buyer: offer", ["done", "active"]),
  ...named("offer: seller_accepted", ["done", "changed"]),
  ...named("offer: countered", ["done", "changed"]),
  ...named("offer: seller_declined", ["done"]),
  ...named("offer: buyer_accepted", ["done", "changed"]),
  ...named("offer: buyer_declined", ["done"]),
  ...named("offer: withdrawn", ["done"]),
  ...named("buyer: pay an offer", ["requested"]),
  "somebody else is paying for it": /asked to pay .*: in_progress$/,
  "a payment is learned of from M-Pesa's list": /a payment is learned of from M-Pesa's list$/,
  "a line of M-Pesa's list waits for a person": /a line of M-Pesa's list waits for a person$/,
  "M-Pesa's list doesn't come": /M-Pesa's list doesn't come$/,
  "a late callback of a backlog": /conditions: .*backlog/,
  "payouts go out unseen": /conditions: .*payoutsUnseen/,
  "queries are limited": /conditions: .*spikeArrest/,
  ...Object.fromEntries(OUTAGE_NAMES.map((name) => [`an outage: ${name}`, new RegExp(`  outage: ${name} is told$`)])),
  "an outage ends before anybody is told": /  outage: [a-z_]+ passes unseen$/,
  "many people trade": /conditions: .*\ba crowd$/,
};

/** How customers answered prompts and how payouts ended, by M-Pesa's result code. */
const CUSTOMER_CODES = ["0", "1032", "1", "2001", "1037", "1019", "7777", "17"];
const REVERSAL_CODES = ["0", "1", "17", "R000001", "R000002"];
const PAYOUT_CODES = ["0", "2040", "1", "4", "SFC_IC0003", "17"];

function named(what: string, kinds: string[]): Record<string, RegExp> {
  return Object.fromEntries(kinds.map((kind) => [`${what}: ${kind}`, new RegExp(`  ${what}: ${kind}$`)]));
}

/** They need a meeting on the same day, which few campuses have. `tests/workers/meetings.test.ts` plays them. */
const RARE: ReadonlySet<DealEvent> = new Set(["helper_asked", "helper_stopped"]);

/** How often each kind of event occurred, including 0. */
export class EventCount {
  readonly counts = new Map<string, number>(
    [
      ...Object.keys(STORY_PATTERNS),
      ...CUSTOMER_CODES.map((code) => `a customer answers ${code}`),
      ...PAYOUT_CODES.map((code) => `a payout ends with ${code}`),
      ...REVERSAL_CODES.map((code) => `a reversal ends with ${code}`),
      ...DEAL_EVENTS.filter((event) => !RARE.has(event)).map((event) => `a deal: ${event}`),
      ...DEAL_REMINDERS.map((reminder) => `a reminder: ${reminder}`),
    ].map((kind) => [kind, 0]),
  );

  async add({ d1, stage, mPesa }: Campus): Promise<void> {
    for (const line of stage.story) {
      for (const [kind, words] of Object.entries(STORY_PATTERNS)) if (words.test(line)) this.#count(kind);
    }
    const { prompts, payouts, reversals } = mPesa.records();
    for (const { code } of prompts) if (code !== null) this.#count(`a customer answers ${code}`);
    for (const { code } of reversals) if (code !== null) this.#count(`a reversal ends with ${code}`);
    for (const { code } of payouts) if (code !== null) this.#count(`a payout ends with ${code}`);
    const { results: events } = await d1.prepare("SELECT event FROM deal_events").all<{ event: string }>();
    for (const { event } of events) this.#count(`a deal: ${event}`);
    const { results: mails } = await d1
      .prepare("SELECT dedupe_key AS key FROM outbox WHERE dedupe_key LIKE 'deal:%'")
      .all<{ key: string }>();
    for (const { key } of mails) {
      const reminder = DEAL_REMINDERS.find((kind) => key.includes(`:${kind}:`));
      if (reminder) this.#count(`a reminder: ${reminder}`);
    }
  }

  #count(kind: string): void {
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
  }
}
