/** The named predicates over states: which states belong to each, in TypeScript and in SQL. */
import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { ATTEMPT, ATTEMPT_STATES } from "#app/db/states/attempt.ts";
import { IMPORT, IMPORT_ROW, IMPORT_ROW_STATES, IMPORT_STATES } from "#app/db/states/import.ts";
import { ITEM, ITEM_STATUSES } from "#app/db/states/item.ts";
import { CLOSED, CLOSED_REASONS, ORDER, ORDER_STATUSES, PAYMENT, PAYMENT_STATUSES } from "#app/db/states/order.ts";
import { MEETING, MEETING_STATES } from "#app/db/states/meeting.ts";
import { CASE, CASE_STATES } from "#app/db/states/moderation.ts";
import { PLAN, PLAN_STATUSES } from "#app/db/states/plan.ts";
import type { Predicate } from "#app/db/states/predicates.ts";
import { TRANSFER, TRANSFER_STATES } from "#app/db/states/transfer.ts";
import { VERIFIED, VERIFIED_LEVELS } from "#app/db/states/verified.ts";

const db = new DatabaseSync(":memory:");

/** The `states` that the SQL of a predicate matches. */
function foundBy(predicate: Predicate<never>, states: readonly string[]): string[] {
  return states.filter(
    (state) => db.prepare(`SELECT ${predicate.sql("s")} AS holds FROM (SELECT ? AS s)`).get(state)?.holds === 1,
  );
}

/** Every predicate with its states. After adding a state, each line must be reviewed. */
const TABLES: [
  name: string,
  states: readonly string[],
  predicates: Record<string, Predicate<never>>,
  holds: Record<string, string>,
][] = [
  ["meetings", MEETING_STATES, MEETING, { isAccepted: "accepted", isActive: "proposed accepted" }],
  [
    "moderation cases",
    CASE_STATES,
    CASE,
    {
      isOpen: "open",
      isDecided: "decided",
      isAppealed: "appealed",
      awaitsTeam: "open appealed",
      isDone: "decided closed",
    },
  ],
  ["verified levels", VERIFIED_LEVELS, VERIFIED, { isStudent: "student", isVerified: "student business" }],
  [
    "order items",
    ITEM_STATUSES,
    ITEM,
    {
      awaitsPayment: "pending_payment",
      isUnpaid: "pending_payment expired",
      isToShip: "processing",
      isShipped: "shipped",
      isMeetable: "processing shipped",
      isHeld: "processing cancel_requested shipped delivered problem_reported offered in_review",
      isRunning: "processing cancel_requested shipped delivered problem_reported offered",
      isCancellable: "processing cancel_requested",
      awaitsSeller: "cancel_requested problem_reported",
      awaitsBuyer: "delivered offered",
      isDelivered: "delivered completed",
      hasOpenProblem: "problem_reported offered in_review",
      isInReview: "in_review",
      isCompleted: "completed",
      isReviewable: "completed refunded",
      takesContact: "pending_payment expired processing",
      takesCode: "processing cancel_requested shipped delivered",
      isRefunded: "refunded",
      isReturned: "cancelled refunded",
      isOver: "expired completed cancelled refunded",
      isSold: "processing cancel_requested shipped delivered problem_reported offered in_review completed",
    },
  ],
  [
    "orders",
    ORDER_STATUSES,
    ORDER,
    {
      awaitsPayment: "pending_payment",
      isOpen: "pending_payment pending processing shipped delivered cancelled",
      isClosed: "expired",
    },
  ],
  [
    "payments of orders",
    PAYMENT_STATUSES,
    PAYMENT,
    {
      isPaid: "completed",
      isUnpaid: "pending processing failed",
      isUnderWay: "processing",
      isPayable: "pending failed",
    },
  ],
  [
    "reasons to close",
    CLOSED_REASONS,
    CLOSED,
    { withRefund: "paid_in_another_order sold_to_someone_else account_closed listing_removed" },
  ],
  [
    "attempts",
    ATTEMPT_STATES,
    ATTEMPT,
    {
      isLive: "created pushed unknown",
      isUnderWay: "created pushed unknown held",
      isHeld: "held",
      isPaid: "succeeded",
      isUnpaid: "created pushed unknown failed refused expired held",
      isFailed: "failed refused",
      isExpired: "expired",
      endedUnpaid: "failed expired",
      reachedPhone: "created pushed unknown succeeded failed expired held",
    },
  ],
  [
    "transfers",
    TRANSFER_STATES,
    TRANSFER,
    {
      isDue: "due",
      isDone: "done",
      isOpen: "due sending sent unknown parked",
      isParked: "parked",
      isUnderWay: "due sending sent unknown",
      isUnsent: "due parked",
    },
  ],
  [
    "plans",
    PLAN_STATUSES,
    PLAN,
    { awaitsPayment: "pending_payment", isActive: "active", isOpen: "pending_payment active" },
  ],
  ["imports", IMPORT_STATES, IMPORT, { isReady: "ready", isRunning: "running", isOver: "done cancelled" }],
  ["rows of imports", IMPORT_ROW_STATES, IMPORT_ROW, { isReady: "ready", hasErrors: "bad failed" }],
];

describe.each(TABLES)("%s", (_name, states, predicates, holds) => {
  test("each predicate is listed here", () => {
    expect(Object.keys(predicates).toSorted()).toEqual(Object.keys(holds).toSorted());
  });

  test.each(Object.entries(holds))("%s: %s, in TypeScript and in SQL", (name, listed) => {
    const predicate = predicates[name] as Predicate<string>;
    expect(states.filter((state) => predicate(state)).join(" ")).toBe(listed);
    expect(foundBy(predicate, states).join(" ")).toBe(listed);
  });
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
