import { expect, test } from "vitest";
import { pendingLook } from "#app/screens/pending/pending-rules.ts";
import { keepsList, screenOf } from "#app/screens/pending/screen-of.ts";

test("the look names what the address tells", () => {
  expect(pendingLook("/profile", "?tab=orders")).toEqual({ title: "My Orders", shape: "list" });
  expect(pendingLook("/search", "?q=desk+lamp")).toEqual({ title: "Results for “desk lamp”", shape: "grid" });
  expect(pendingLook("/admin/categories", "")).toEqual({ title: "Categories", shape: "list" });
  expect(pendingLook("/product/1", "")).toEqual({ title: null, shape: "product" });
  expect(pendingLook("/elsewhere", "")).toBeNull();
});

test("tabs and conversations are screens of their own, filters are not", () => {
  const at = (address: string) => screenOf(new URL(address, "https://chuoni.test"));
  expect(at("/profile?tab=messages&with=1")).not.toBe(at("/profile?tab=messages&with=2"));
  expect(at("/profile?tab=orders")).not.toBe(at("/profile"));
  expect(at("/studentmarketplace?sort=price&category=x")).toBe(at("/studentmarketplace"));
});

test("a list with what is open beside it is not covered while the next one is opened", () => {
  expect(keepsList("/admin/moderation", "/admin/moderation/a")).toBe(true);
  expect(keepsList("/admin/moderation/a", "/admin/moderation/b")).toBe(true);
  expect(keepsList("/admin/moderation/a", "/admin/problems/a")).toBe(false);
  expect(keepsList("/orders/a", "/orders/b")).toBe(false);
});
