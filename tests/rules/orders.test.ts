import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ItemStatus } from "#app/db/states/item.ts";
import {
  daysElapsed,
  itemStatusLabel,
  orderListStatus,
  orderStatusOf,
  PROGRESS_STEPS,
  progressStep,
  SHIPPING_STEPS,
  shippingStep,
  shortOrderId,
} from "#app/orders/order-rules.ts";

const STATUSES: ItemStatus[] = ["pending_payment", "processing", "shipped", "delivered", "expired"];

describe("the seller's next step", () => {
  test.each([
    [false, false, "need_contact", "Need Contact", "red", "Contact Buyer"],
    [false, true, "need_contact", "Need Contact", "red", "Contact Buyer"],
    [true, false, "waiting_response", "Waiting Response", "yellow", "Waiting for buyer..."],
    [true, true, "ready_to_ship", "Ready to Ship", "green", "Mark as Shipped"],
  ] as const)("contacted %s and agreed %s needs: %s", (buyerContacted, buyerAgreed, step, label, tone, action) => {
    expect(shippingStep({ buyerContacted, buyerAgreed })).toBe(step);
    expect(SHIPPING_STEPS[step]).toEqual({ label, tone, action });
  });
});

describe("an order's status", () => {
  test("is delivered only once every item is", () => {
    expect(orderStatusOf(["delivered", "delivered"])).toBe("delivered");
    expect(orderStatusOf(["delivered", "delivered", "shipped"])).toBe("shipped");
  });

  test("is otherwise the one most of the items still to come have, and the first found on a tie", () => {
    expect(orderStatusOf(["processing", "shipped", "shipped"])).toBe("shipped");
    expect(orderStatusOf(["shipped", "processing"])).toBe("shipped");
    expect(orderStatusOf(["delivered", "processing", "shipped", "shipped", "processing"])).toBe("processing");
  });

  test("is never one that another status outnumbers among the items still to come", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...STATUSES), { minLength: 1, maxLength: 12 }), (statuses) => {
        const open = statuses.filter((status) => status !== "delivered");
        const count = (status: string) => open.filter((other) => other === status).length;
        expect(count(orderStatusOf(statuses))).toBe(Math.max(0, ...open.map(count)));
      }),
    );
  });

  test.each([
    ["pending_payment", "Confirmed"],
    ["processing", "Processing"],
    ["shipped", "Shipped"],
    ["delivered", "Delivered"],
    ["whatever", "Confirmed"],
    ["toString", "Confirmed"],
  ])("%s stands at the step %s", (status, step) => {
    expect(PROGRESS_STEPS[progressStep(status)]).toBe(step);
  });

  test.each([
    ["pending", "Pending"],
    ["processing", "Processing"],
    ["shipped", "Shipped"],
    ["delivered", "Delivered"],
    ["pending_payment", "Unknown"],
    ["expired", "Unknown"],
    ["", "Unknown"],
  ])("%s is listed as %s", (status, label) => {
    expect(orderListStatus(status)).toBe(label);
  });

  test("of an item reads as words", () => {
    expect(itemStatusLabel("pending_payment")).toBe("Pending payment");
  });
});

test("an order is known by the first 8 characters of its id", () => {
  expect(shortOrderId("1a48a4ea-2f5c-4d0b-9f0e-3a2b1c0d9e8f")).toBe("1a48a4ea");
});

test("days count when they are whole, and never run backwards", () => {
  const day = 24 * 60 * 60_000;
  // 23:00 and 01:00 in East Africa.
  const late = Date.UTC(2026, 4, 3, 20);
  expect(daysElapsed(late, late + 60_000)).toBe(0);
  expect(daysElapsed(late, late + 2 * 60 * 60_000)).toBe(1);
  expect(daysElapsed(1_000, 1_000 + day)).toBe(1);
  expect(daysElapsed(1_000, 1_000 + 9 * day)).toBe(9);
  expect(daysElapsed(5 * day, 0)).toBe(0);
});
