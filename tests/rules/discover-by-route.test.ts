import { readFileSync } from "node:fs";
import { matchPath } from "react-router";
import { expect, test } from "vitest";
import { discoverByRoute, WITHOUT_IDS } from "#scripts/discover-by-route.ts";

// The code that joins React Router's.
const withoutIds = new Function(`${WITHOUT_IDS}; return withoutIds;`)() as (path: string) => string;

test("addresses that differ in their ids become one, which leads to the same screen", () => {
  const [id, other] = [crypto.randomUUID(), crypto.randomUUID()];
  expect(withoutIds(`/product/${id}`)).toBe(withoutIds(`/product/${other}`));
  expect(withoutIds(`/product/${id}/edit`)).toBe("/product/0/edit");
  expect(matchPath("/product/:productId", withoutIds(`/product/${id}`))).not.toBeNull();
  for (const path of ["/", "/home", "/category/electronics", "/myshop/money"]) expect(withoutIds(path)).toBe(path);
});

test("React Router's code still has the places that the build changes", () => {
  const id = "node_modules/react-router/dist/production/lib/dom/ssr/fog-of-war.js";
  const code = readFileSync(id, "utf8");
  const { transform } = discoverByRoute() as { transform: (code: string, id: string) => { code: string } | null };
  const changed = transform(code, `/${id}`)?.code ?? "";
  expect(changed.match(/withoutIds\(/g)).toHaveLength(3);
});
