/** The named predicates over states mean the same in TypeScript and in SQL. */
import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { ATTEMPT, ATTEMPT_STATES } from "#app/db/states/attempt.ts";
import { CALLBACK, CALLBACK_OUTCOMES } from "#app/db/states/callback.ts";
import { ITEM, ITEM_STATUSES } from "#app/db/states/item.ts";
import { CLOSED, CLOSED_REASONS, ORDER, ORDER_STATUSES, PAYMENT, PAYMENT_STATUSES } from "#app/db/states/order.ts";
import { MEETING, MEETING_STATES } from "#app/db/states/meeting.ts";
import { CASE, CASE_STATES } from "#app/db/states/moderation.ts";
import { OFFER, OFFER_STATES } from "#app/db/states/offer.ts";
import { PLAN, PLAN_STATUSES } from "#app/db/states/plan.ts";
import type { Predicate } from "#app/db/states/predicates.ts";
import { TRANSFER, TRANSFER_STATES } from "#app/db/states/transfer.ts";
import { VERIFIED, VERIFIED_LEVELS } from "#app/db/states/verified.ts";

const db = new DatabaseSync(":memory:");

const GROUPS: [name: string, states: readonly string[], predicates: Record<string, Predicate<never>>][] = [
  ["meetings", MEETING_STATES, MEETING],
  ["moderation cases", CASE_STATES, CASE],
  ["verified levels", VERIFIED_LEVELS, VERIFIED],
  ["order items", ITEM_STATUSES, ITEM],
  ["orders", ORDER_STATUSES, ORDER],
  ["payments of orders", PAYMENT_STATUSES, PAYMENT],
  ["reasons to close", CLOSED_REASONS, CLOSED],
  ["attempts", ATTEMPT_STATES, ATTEMPT],
  ["transfers", TRANSFER_STATES, TRANSFER],
  ["offers", OFFER_STATES, OFFER],
  ["outcomes of callbacks", CALLBACK_OUTCOMES, CALLBACK],
  ["plans", PLAN_STATUSES, PLAN],
];

test.each(GROUPS)(
  "SQL finds the same states of %s as TypeScript, and some but not all",
  (_name, states, predicates) => {
    for (const [name, predicate] of Object.entries(predicates as Record<string, Predicate<string>>)) {
      const listed = states.filter((state) => predicate(state));
      const query = db.prepare(`SELECT ${predicate.sql("s")} AS holds FROM (SELECT ? AS s)`);
      const found = states.filter((state) => query.get(state)?.holds === 1);
      expect({ name, states: found }).toEqual({ name, states: listed });
      expect([0, states.length], `${name}`).not.toContain(listed.length);
    }
  },
);

/** Of what moves money and goods, written out: a state too many would sell, pay or refund where nothing may. */
const PINNED: [
  predicates: Record<string, Predicate<never>>,
  states: readonly string[],
  holds: Record<string, string>,
][] = [
  [
    ITEM,
    ITEM_STATUSES,
    {
      awaitsPayment: "pending_payment",
      isUnpaid: "pending_payment expired",
      isToShip: "processing",
      isHeld: "processing cancel_requested shipped delivered problem_reported offered in_review",
      isRunning: "processing cancel_requested shipped delivered problem_reported offered",
      isCancellable: "processing cancel_requested",
      isDelivered: "delivered completed",
      hasOpenProblem: "problem_reported offered in_review",
      takesCode: "processing cancel_requested shipped delivered",
      isReturned: "cancelled refunded",
      isOver: "expired completed cancelled refunded",
      isSold: "processing cancel_requested shipped delivered problem_reported offered in_review completed",
    },
  ],
  [
    PAYMENT,
    PAYMENT_STATUSES,
    {
      isPaid: "completed",
      isUnpaid: "pending processing failed",
      isUnderWay: "processing",
      isPayable: "pending failed",
    },
  ],
  [
    ATTEMPT,
    ATTEMPT_STATES,
    {
      isLive: "created pushed unknown",
      isUnderWay: "created pushed unknown held",
      isPaid: "succeeded",
      isUnpaid: "created pushed unknown failed refused expired held",
      endedUnpaid: "failed expired",
      reachedPhone: "created pushed unknown succeeded failed expired held",
    },
  ],
  [
    TRANSFER,
    TRANSFER_STATES,
    {
      isDone: "done",
      isOpen: "due sending sent unknown parked",
      isUnderWay: "due sending sent unknown",
      isUnsent: "due parked",
    },
  ],
];

test.each(PINNED)("states of money and goods %#", (predicates, states, holds) => {
  const found = Object.keys(holds).map((name) => {
    const predicate = predicates[name] as Predicate<string>;
    return [name, states.filter((state) => predicate(state)).join(" ")];
  });
  expect(Object.fromEntries(found)).toEqual(holds);
});

test("no query writes a state by hand", () => {
  // "pending" and "active" are states of several columns, so the column must be checked, too.
  const states = [ITEM_STATUSES, ORDER_STATUSES, PAYMENT_STATUSES, ATTEMPT_STATES, TRANSFER_STATES, PLAN_STATUSES]
    .flat()
    .filter((state) => state !== "pending" && state !== "active");
  const byHand = new RegExp(
    `'(${[...new Set(states)].join("|")})'|(payment_status|order_status|\\bs\\.status) (=|<>|IN) \\(?'`,
    "g",
  );
  const root = resolve(import.meta.dirname, "../..");
  const found = globSync("{app,workers}/**/*.{ts,tsx}", { cwd: root })
    .filter((path) => !path.startsWith("app/db/states/") && !path.startsWith("workers/sandbox/"))
    .flatMap((path) =>
      [...readFileSync(resolve(root, path), "utf8").matchAll(byHand)].map((match) => `${path}: ${match[0]}`),
    );
  expect(found).toEqual([]);
});
