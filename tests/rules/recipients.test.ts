import { expect, test } from "vitest";
import { type About, isTold } from "#app/notifications/recipient-rules.ts";
import { DEAL_READERS, isOutcome } from "#app/deals/deal-rules.ts";
import type { DealStep } from "#app/notifications/kinds.ts";

const OPEN = { isClosed: false, isDeleted: false };
const SUSPENDED = { isClosed: true, isDeleted: false };
const DELETED = { isClosed: true, isDeleted: true };

test.each<[About, boolean, boolean, boolean]>([
  ["money", true, true, false],
  ["account", true, true, false],
  ["use", true, false, false],
])("an email about %s goes to an open account: %s, a suspended one: %s, a deleted one: %s", (about, ...told) => {
  expect([OPEN, SUSPENDED, DELETED].map((reader) => isTold(reader, about))).toEqual(told);
});

test("a suspended person is told how a deal ends or that our team decides, and not what they can't answer", () => {
  const steps = Object.keys(DEAL_READERS) as DealStep[];
  expect(steps.filter((step) => !isOutcome(step))).toEqual([
    "ship_reminder_1",
    "ship_reminder_2",
    "ship_reminder_3",
    "inspection_reminder",
    "buyer_missed",
    "seller_missed",
    "shipped",
    "delivered",
    "code_closed",
    "cancel_requested",
    "cancel_declined",
    "cancel_withdrawn",
    "held",
    "resumed",
    "problem_reported",
    "part_offered",
    "report_lifted",
  ]);
});
