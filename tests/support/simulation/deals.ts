/**
 * What buyers, sellers and our team do with paid items in the simulation, in time, too late, at once, or not at all.
 */
import { sql } from "drizzle-orm";
import { MEETING_LASTS_MS } from "#app/accounts/trust/missed-meeting-rules.ts";
import { write } from "#app/db/batch.ts";
import { type DealEvent, type Decision, PROBLEM_KINDS, EVENT_ACTORS } from "#app/db/states/deal.ts";
import { ITEM, type ItemStatus } from "#app/db/states/item.ts";
import { agreeOnItem, contactBuyer } from "#app/deals/agreement.server.ts";
import { applyDealEvent } from "#app/deals/deal-events.server.ts";
import { decideDeal } from "#app/admin/problems/decisions.server.ts";
import {
  answerAsBuyer,
  contestProblem,
  offerPart,
  refundProblem,
  reportProblem,
} from "#app/deals/problems/problems.server.ts";
import type { DealServices } from "#app/deals/deal-services.ts";
import { deliverItem, shipItem } from "#app/deals/fulfilment.server.ts";
import { handoverCode } from "#app/deals/code/handover-code.server.ts";
import { makeHandoverLink } from "#app/deals/code/handover-link.server.ts";
import { findDeal } from "#app/deals/find-deal.server.ts";
import { enterCode } from "#app/deals/code/enter-code.server.ts";
import { sayMissed } from "#app/deals/say-missed.server.ts";
import { liftReport } from "#app/deals/problems/lift-report.server.ts";
import { sendReport } from "#app/moderation/reports/report.server.ts";
import { reportIssue } from "#app/deals/problems/issue-reports.server.ts";
import { startPayout } from "#app/payments/transfers/start-payout.server.ts";
import { oneAdmin } from "./admins.ts";
import { type Campus, invoke } from "./invocation.ts";

/** A paid item as its people see it. */
export interface Item {
  id: string;
  orderId: string;
  status: ItemStatus;
  subtotal: number;
  buyerId: string;
  sellerId: string;
}

/** Something that one person does with an item. Resolves to what came of it, for the story. */
interface Action {
  by: "buyer" | "seller" | "admin";
  do(services: DealServices, item: Item, campus: Campus): Promise<string>;
}

const ACTIONS = {
  agree: {
    by: "seller",
    async do({ db, now }, { id, buyerId, sellerId }) {
      await write(db, [...contactBuyer(id, sellerId, now()), ...agreeOnItem(id, buyerId, now())]);
      return "done";
    },
  },
  "agree to meet": {
    by: "seller",
    async do({ db, now }, { id, buyerId, sellerId }, { stage }) {
      // Some have met by now.
      const startsAt = now() - stage.chance.between(-3, 3) * MEETING_LASTS_MS;
      await db.run(
        sql`INSERT INTO meetings (order_item_id, place, starts_at, proposed_by, state, created_at, updated_at)
          SELECT id, 'Library', ${startsAt}, ${sellerId}, 'accepted', ${now()}, ${now()} FROM order_items
            WHERE id = ${id} AND ${sql.raw(ITEM.isMeetable.sql("status"))}
              AND NOT EXISTS (SELECT 1 FROM blocks WHERE user_id IN (${buyerId}, ${sellerId})
                AND blocked_id IN (${buyerId}, ${sellerId}))
          ON CONFLICT DO UPDATE SET starts_at = excluded.starts_at, state = 'accepted', round = round + 1`,
      );
      return "done";
    },
  },
  "say that the buyer didn't come": {
    by: "seller",
    do: async (services, { id, sellerId }) => told(await sayMissed(services, { itemId: id, by: sellerId })),
  },
  "say that the seller didn't come": {
    by: "buyer",
    do: async (services, { id, buyerId }) => told(await sayMissed(services, { itemId: id, by: buyerId })),
  },
  ship: {
    by: "seller",
    do: async (services, { id, sellerId }) => told(await shipItem(services, { itemId: id, sellerId })),
  },
  deliver: {
    by: "seller",
    async do(services, { id, sellerId }) {
      const delivered = await deliverItem(services, { itemId: id, sellerId });
      if (delivered.ok && delivered.payoutId) await startPayout(services, delivered.payoutId, id);
      return told(delivered);
    },
  },
  "enter the code": {
    by: "seller",
    do: (services, { id, sellerId }) => enter(services, { id, sellerId, wrongBy: 0 }),
  },
  "let somebody else enter the code": {
    by: "seller",
    async do(services, { id, sellerId }) {
      await makeHandoverLink(services, { itemId: id, sellerId });
      const deal = await findDeal(services, id);
      return enter(services, { id, sellerId, wrongBy: 0, linkId: deal?.handoverLink?.id ?? "none" });
    },
  },
  "enter a wrong code": {
    by: "seller",
    do: (services, { id, sellerId }, { stage }) =>
      enter(services, { id, sellerId, wrongBy: stage.chance.between(1, 999_999) }),
  },
  "enter many codes": {
    by: "seller",
    async do(_services, item, campus) {
      const right = campus.stage.chance.between(0, 7);
      for (let n = 0; n < 8; n += 1) {
        invoke(campus, `code ${n}`, async (own) => {
          const result = await enter(own, { ...item, wrongBy: n - right });
          campus.stage.note(`one of many codes: ${result}`);
        });
      }
      return "all at once";
    },
  },
  "cancel as seller": { by: "seller", do: press("cancelled_by_seller") },
  "accept to cancel": { by: "seller", do: press("cancel_accepted") },
  "decline to cancel": { by: "seller", do: press("cancel_declined") },
  "cancel as buyer": { by: "buyer", do: press("cancelled_by_buyer") },
  "ask to cancel": { by: "buyer", do: press("cancel_requested") },
  "withdraw the request": { by: "buyer", do: press("cancel_withdrawn") },
  "say that all is OK": { by: "buyer", do: press("accepted") },
  "write a report": {
    by: "buyer",
    async do(services, { id, orderId, buyerId }) {
      const report = { userId: buyerId, orderId, itemId: id, description: "It does not work as you say" };
      return told(await reportIssue(services, report));
    },
  },
  "report the seller": {
    by: "buyer",
    async do(services, { buyerId, sellerId }) {
      const report = { subject: "person", subjectId: sellerId, reason: "scam", text: "x" } as const;
      return told(await sendReport(services, { ...report, reporterId: buyerId }));
    },
  },
  "take a report back": {
    by: "buyer",
    do: async (services, { id, buyerId }) => told(await liftReport(services, { itemId: id, buyerId })),
  },
  "report a problem": {
    by: "buyer",
    async do(services, { id, buyerId }, { stage }) {
      const kind = stage.chance.pick(PROBLEM_KINDS);
      const words = { kind, description: "It does not work as you say", photoKeys: [] };
      const result = told(await reportProblem(services, { itemId: id, buyerId, ...words }));
      return result === "done" ? kind : result;
    },
  },
  "refund a problem": {
    by: "seller",
    do: async (services, { id, sellerId }) => told(await refundProblem(services, { itemId: id, sellerId })),
  },
  "contest a problem": {
    by: "seller",
    do: async (services, { id, sellerId }) =>
      told(await contestProblem(services, { itemId: id, sellerId, note: "It worked when I sold it" })),
  },
  "offer a part": {
    by: "seller",
    async do(services, { id, sellerId, subtotal }, { stage }) {
      const offer = { itemId: id, sellerId, amount: stage.chance.between(1, subtotal), note: null };
      return told(await offerPart(services, offer));
    },
  },
  "accept the part": { by: "buyer", do: answer("accept") },
  "withdraw the problem": { by: "buyer", do: answer("withdraw") },
  "ask our team": { by: "buyer", do: answer("review") },
  "decide to refund": { by: "admin", do: decide("refund") },
  "decide to split": { by: "admin", do: decide("split") },
  "decide to release": { by: "admin", do: decide("release") },
  "close a report": {
    by: "admin",
    async do({ db, now }, { orderId }) {
      await db.run(
        sql`UPDATE issue_reports SET status = 'closed', closed_at = ${now()}, outcome = 'ok'
          WHERE order_id = ${orderId} AND status = 'open'`,
      );
      await db.run(
        sql`UPDATE moderation_cases SET state = 'decided', decision = 'dismissed', decided_at = ${now()}
          WHERE state = 'open'`,
      );
      return "done";
    },
  },
} satisfies Record<string, Action>;
type ActionName = keyof typeof ACTIONS;

/** What people do in each status, and how often. The rest of the time they are silent. */
const ACTION_WEIGHTS: Partial<Record<ItemStatus, Partial<Record<ActionName, number>>>> = {
  processing: {
    agree: 30,
    "agree to meet": 8,
    "let somebody else enter the code": 3,
    "say that the buyer didn't come": 8,
    "say that the seller didn't come": 5,
    ship: 60,
    "enter the code": 5,
    "enter a wrong code": 5,
    "enter many codes": 16,
    "cancel as buyer": 4,
    "ask to cancel": 20,
    "cancel as seller": 2,
    "write a report": 4,
    "report the seller": 2,
    "take a report back": 6,
  },
  cancel_requested: {
    "accept to cancel": 16,
    "decline to cancel": 8,
    "withdraw the request": 12,
    "enter the code": 2,
    "cancel as seller": 2,
  },
  shipped: {
    deliver: 60,
    "let somebody else enter the code": 2,
    "enter the code": 5,
    "enter a wrong code": 5,
    "enter many codes": 16,
    "say that all is OK": 3,
    "write a report": 3,
    "take a report back": 5,
    "report a problem": 20,
  },
  delivered: {
    "say that all is OK": 5,
    "enter the code": 3,
    "report a problem": 25,
    "write a report": 30,
    "report the seller": 3,
    "take a report back": 8,
    "close a report": 2,
  },
  problem_reported: {
    "offer a part": 35,
    "refund a problem": 8,
    "withdraw the problem": 5,
    "contest a problem": 8,
    "ask our team": 15,
  },
  offered: { "accept the part": 12, "withdraw the problem": 4, "ask our team": 10, "refund a problem": 4 },
  completed: { "say that the seller didn't come": 2, "write a report": 3, "report the seller": 1 },
  in_review: {
    "withdraw the problem": 2,
    "decide to refund": 2,
    "decide to split": 4,
    "decide to release": 2,
    "enter the code": 1,
  },
};

const DECISIONS: Partial<Record<ActionName, number>> = {
  "decide to refund": 1,
  "decide to split": 2,
  "decide to release": 1,
};

/** In these statuses the person who should answer often doesn't. */
const RESPONSE_RATES: Partial<Record<ItemStatus, number>> = {
  cancel_requested: 0.45,
  shipped: 0.8,
  delivered: 0.6,
  problem_reported: 0.7,
  offered: 0.4,
  completed: 0.15,
};

/** What people press on pages that show an older status. */
const STALE = 0.1;

/**
 * Visits all held items. Of `share` of them somebody does something, sometimes twice or together with somebody else.
 */
export function visitDeals(campus: Campus, share: number): void {
  const { chance } = campus.stage;
  invoke(campus, "visit", async (services) => {
    const items = await services.db.all<Item>(
      // Item ids are made by the database and differ between replays.
      sql`SELECT i.id, i.order_id AS orderId, i.status, i.subtotal, o.user_id AS buyerId, i.seller_id AS sellerId
        FROM order_items i JOIN orders o ON o.id = i.order_id WHERE ${sql.raw(ITEM.isHeld.sql("i.status"))}
          OR (i.status = 'completed' AND EXISTS (SELECT 1 FROM payout_items s JOIN payouts y ON y.id = s.payout_id
            WHERE s.order_item_id = i.id AND y.send_count = 0))
        ORDER BY i.rowid`,
    );
    for (const item of items) {
      if (!chance.happens(share * (RESPONSE_RATES[item.status] ?? 1))) continue;
      const actions = chance.happens(0.25) ? 2 : 1;
      const first = chooseAction(campus, item);
      for (let n = 1; n <= actions; n += 1)
        perform(campus, item, n === 1 || chance.happens(0.4) ? first : chooseAction(campus, item));
    }
  });
}

/** Our team decides about what waits for it. */
export function decideDeals(campus: Campus, share: number): void {
  const { chance } = campus.stage;
  invoke(campus, "team", async (services) => {
    const items = await services.db.all<Item>(
      sql`SELECT i.id, i.order_id AS orderId, i.status, i.subtotal, o.user_id AS buyerId, i.seller_id AS sellerId
        FROM order_items i JOIN orders o ON o.id = i.order_id WHERE i.status = 'in_review' ORDER BY i.rowid`,
    );
    for (const item of items) {
      if (!chance.happens(share)) continue;
      // Sometimes two of us decide at once.
      const admins = chance.happens(0.2) ? 2 : 1;
      for (let n = 1; n <= admins; n += 1) perform(campus, item, chance.weighted(DECISIONS));
    }
  });
}

function chooseAction({ stage: { chance } }: Campus, { status }: Item): ActionName {
  const usual = chance.happens(STALE) ? chance.pick(Object.values(ACTION_WEIGHTS)) : (ACTION_WEIGHTS[status] ?? {});
  return Object.keys(usual).length === 0 ? "agree" : chance.weighted(usual);
}

/** Somebody does one thing with an item. */
export function perform(campus: Campus, item: Item, name: ActionName): void {
  const { stage, away } = campus;
  const { by, do: work }: Action = ACTIONS[name];
  const who = by === "buyer" ? item.buyerId : item.sellerId;
  invoke(campus, `${name}`, async (services) => {
    // Nobody who is suspended is logged in.
    if (by !== "admin" && away.has(who)) return;
    stage.note(`${by}: ${name}: ${await work(services, item, campus)}`);
  });
}

/** The right code with `wrongBy` 0. */
async function enter(
  services: DealServices,
  { id: itemId, sellerId, wrongBy, linkId }: Pick<Item, "id" | "sellerId"> & { wrongBy: number; linkId?: string },
): Promise<string> {
  const right = Number(await handoverCode(services.deals.codeKey, itemId));
  const code = String((right + wrongBy + 1_000_000) % 1_000_000).padStart(6, "0");
  const entered = await enterCode(services, { itemId, sellerId, code, ...(linkId !== undefined && { linkId }) });
  if (entered.ok && entered.payoutId) await startPayout(services, entered.payoutId, itemId);
  return told(entered);
}

/** The action that only causes `event`. */
function press(event: DealEvent): Action["do"] {
  const actor = EVENT_ACTORS[event];
  return async (services, item) => {
    const by = actor === "buyer" ? item.buyerId : item.sellerId;
    return told(await applyDealEvent(services, { itemId: item.id, event, by }));
  };
}

/** What the buyer answers about a problem. */
function answer(given: "accept" | "withdraw" | "review"): Action["do"] {
  return async (services, { id, buyerId }) =>
    told(await answerAsBuyer(services, { itemId: id, buyerId, answer: given, note: null }));
}

/** What an admin decides. */
function decide(decision: Decision): Action["do"] {
  return async (services, { id, subtotal }, campus) => {
    const amount = campus.stage.chance.between(1, subtotal);
    const decided = await decideDeal(services, oneAdmin(campus), {
      itemId: id,
      decision,
      amount,
      reasons: "Both wrote to us",
    });
    if (decided.ok && decided.isDecided && decided.payoutId) await startPayout(services, decided.payoutId, id);
    return decided.ok && !decided.isDecided ? "proposed" : told(decided);
  };
}

function told(result: { ok: true } | { ok: false; code: string }): string {
  return result.ok ? "done" : result.code;
}

interface Release {
  id: string;
  event: DealEvent;
  sent: number;
  reported: number;
}

/** The buyer has taken the report `r` back as far as it is about the item `i`. */
const TAKEN_BACK = `EXISTS (SELECT 1 FROM deal_events t WHERE t.order_item_id = i.id
    AND t.event IN ('report_lifted', 'problem_withdrawn') AND t.created_at >= r.created_at)`;

/** Items whose seller has earned the money, by what last happened to them, and whether it was sent. */
const RELEASES = `SELECT i.id, (SELECT e.event FROM deal_events e
  WHERE e.order_item_id = i.id AND e.event NOT IN ('code_closed', 'report_lifted', 'buyer_missed',
    'seller_missed', 'helper_asked', 'helper_stopped') ORDER BY e.rowid DESC
    LIMIT 1) AS event,
    y.send_count > 0 AS sent,
    EXISTS (SELECT 1 FROM issue_reports r WHERE r.order_id = i.order_id AND r.status = 'open' AND r.user_id = o.user_id
      AND (r.product_id IS NULL OR r.product_id = i.product_id) AND NOT ${TAKEN_BACK})
      OR EXISTS (SELECT 1 FROM moderation_cases k JOIN reports r ON r.case_id = k.id
        WHERE k.reported_id = i.seller_id AND k.subject = 'person' AND r.reporter_id = o.user_id AND r.lifted_at IS NULL
          AND NOT ${TAKEN_BACK}) AS reported
  FROM payout_items s JOIN payouts y ON y.id = s.payout_id JOIN order_items i ON i.id = s.order_item_id
    JOIN orders o ON o.id = i.order_id`;

/**
 * After each step: nothing was released or sent to a seller while a report of the buyer was open, unless our team
 * decided so.
 */
export function reportCheck(d1: D1Database): (worker: string) => Promise<void> {
  const seen = new Map<string, boolean>();
  const query = d1.prepare(RELEASES);
  return async (worker) => {
    const { results } = await query.all<Release>();
    const now = new Map(results.map(({ id, sent }) => [id, sent === 1]));
    for (const id of seen.keys()) if (!now.has(id)) seen.delete(id);
    for (const { id, event, sent, reported } of results) {
      const before = seen.get(id);
      seen.set(id, sent === 1);
      const isNew = before === undefined || (sent === 1 && !before);
      // A report that came while the buyer took back all others stops the payout.
      const isTheirWish = event === "problem_withdrawn" && sent === 0;
      // What the two had settled with a part before the report came stays settled.
      const isSettled = event === "part_accepted" && before !== undefined;
      if (isNew && reported === 1 && !isTheirWish && !isSettled && EVENT_ACTORS[event] !== "admin")
        throw new Error(
          `after a step of ${worker}: item ${id.slice(0, 8)} was paid by ${event} while a report was open`,
        );
    }
  };
}
