import { expect, test } from "vitest";
import { noticeOn } from "#app/screens/live/live-notice.ts";

test("nothing about another order covers the result of a payment", () => {
  const paid = { type: "payment", orderId: "1", notice: "Paid: KES 720 for Kettle", shownOn: "/checkout/1" } as const;
  const shipped = { type: "order", orderId: "2", notice: "Desk is on its way" } as const;
  const account = { type: "account", notice: "We've undone our decision." } as const;
  expect([paid, shipped, account].map((event) => noticeOn("/checkout/1", event))).toEqual([null, null, account.notice]);
  expect([paid, shipped].map((event) => noticeOn("/checkout/2", event))).toEqual([null, null]);
  expect([paid, shipped].map((event) => noticeOn("/home", event))).toEqual([paid.notice, shipped.notice]);
  expect(noticeOn("/home", { type: "offer" })).toBeNull();
});
