import { expect, test } from "vitest";
import { profileTabs, readProfileTab } from "#app/accounts/profile/profile-tabs.ts";

test("a profile opens with the listings of a seller, and with the wishlist of anybody else", () => {
  expect([readProfileTab(null, true), readProfileTab(null, false), readProfileTab("nonsense", false)]).toEqual([
    "listings",
    "wishlist",
    "wishlist",
  ]);
  expect(
    ["messages", "wishlist", "orders", "listings", "history", "settings"].map((tab) => readProfileTab(tab, true)),
  ).toEqual(["messages", "wishlist", "orders", "listings", "history", "settings"]);
});

test("sellers have listings where others have their history", () => {
  expect(profileTabs(true)).toEqual(["listings", "wishlist", "orders", "messages", "settings"]);
  expect(profileTabs(false)).toEqual(["wishlist", "history", "orders", "messages", "settings"]);
});
