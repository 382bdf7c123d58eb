import { expect, test } from "vitest";
import { findScreenModules, isInStart } from "#scripts/chunks.ts";

const entries = [
  "/dev/config/defaults/entry.client.tsx",
  "/src/app/root.tsx?__react-router-build-client-route",
  "/src/app/routes/visitor/layout.tsx",
  "/src/app/routes/visitor/sign-in.tsx?route-chunk=main",
  "/src/app/routes/shell.tsx?__react-router-build-client-route",
  "/src/app/routes/member/layout.tsx",
  "/src/app/routes/member/marketplace.tsx?route-chunk=main",
  "/src/app/routes/member/edit-product.tsx",
  "/src/app/routes/member/my-money.tsx",
  "/src/app/routes/member/review.tsx",
  "/src/app/routes/member/my-shop.tsx",
  "/src/app/routes/member/shops.tsx",
  "/src/app/routes/person-reviews.tsx",
];
const imports: Record<string, string[]> = {
  "/src/app/root.tsx?__react-router-build-client-route": ["/src/app/ui/toast.ts"],
  "/src/app/routes/visitor/sign-in.tsx?route-chunk=main": ["/src/app/ui/button.tsx", "/src/app/ui/password.tsx"],
  "/src/app/routes/member/marketplace.tsx?route-chunk=main": ["/src/app/catalogue/feed.tsx"],
  "/src/app/catalogue/feed.tsx": ["/src/app/ui/button.tsx", "/src/app/ui/photo.tsx", "/src/app/ui/toast.ts"],
  "/src/app/routes/member/cart.tsx": ["/src/app/ui/stepper.tsx", "/src/app/ui/photo.tsx"],
};
const importsOf = (id: string) => imports[id] ?? [];
const ids = [...entries, "/src/app/routes/member/cart.tsx"];

test("the feed loads what its route imports, at any depth, and nothing that only other screens import", () => {
  const { feed } = findScreenModules(ids, importsOf);
  expect([...feed].toSorted()).toEqual(
    [
      "/src/app/routes/member/marketplace.tsx?route-chunk=main",
      "/src/app/catalogue/feed.tsx",
      "/src/app/ui/button.tsx",
      "/src/app/ui/photo.tsx",
      "/src/app/ui/toast.ts",
    ].toSorted(),
  );
});

test("every page loads the document and what the login shares with the feed, and no more", () => {
  const screens = findScreenModules(ids, importsOf);
  expect(isInStart("/src/app/ui/toast.ts", screens)).toBe(true);
  expect(isInStart("/src/app/ui/button.tsx", screens)).toBe(true);
  expect(isInStart("/src/app/ui/password.tsx", screens)).toBe(false);
  expect(isInStart("/src/app/ui/photo.tsx", screens)).toBe(false);
});

test.each(entries)("the build stops where %s has another name", (renamed) => {
  const others = ids.map((id) => (id === renamed ? "/src/app/routes/renamed.tsx" : id));
  expect(() => findScreenModules(others, importsOf)).toThrow("scripts/chunks.ts");
});
