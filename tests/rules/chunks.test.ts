import { expect, test } from "vitest";
import { findFeedModules } from "#scripts/chunks.ts";

const entries = [
  "/dev/config/defaults/entry.client.tsx",
  "/src/app/root.tsx?__react-router-build-client-route",
  "/src/app/routes/shell.tsx?__react-router-build-client-route",
  "/src/app/routes/member/layout.tsx",
  "/src/app/routes/member/marketplace.tsx?route-chunk=main",
];
const imports: Record<string, string[]> = {
  "/src/app/root.tsx?__react-router-build-client-route": ["/src/app/ui/toast.ts"],
  "/src/app/routes/member/marketplace.tsx?route-chunk=main": ["/src/app/catalogue/feed.tsx"],
  "/src/app/catalogue/feed.tsx": ["/src/app/ui/photo.tsx", "/src/app/ui/toast.ts"],
  "/src/app/routes/member/cart.tsx": ["/src/app/ui/stepper.tsx", "/src/app/ui/photo.tsx"],
};
const importsOf = (id: string) => imports[id] ?? [];

test("the feed loads what its routes import, at any depth, and nothing that only other screens import", () => {
  const ids = [...entries, "/src/app/routes/member/cart.tsx"];
  expect([...findFeedModules(ids, importsOf)].toSorted()).toEqual(
    [...entries, "/src/app/ui/toast.ts", "/src/app/catalogue/feed.tsx", "/src/app/ui/photo.tsx"].toSorted(),
  );
});

test.each(entries)("the build stops where %s has another name", (renamed) => {
  const ids = entries.map((id) => (id === renamed ? "/src/app/routes/renamed.tsx" : id));
  expect(() => findFeedModules(ids, importsOf)).toThrow("scripts/chunks.ts");
});
