import { readFileSync } from "node:fs";
import { matchPath } from "react-router";
import { expect, test } from "vitest";
import { discoverKinds, KIND_OF_ADDRESS } from "#scripts/discover-kinds.ts";

// The code that joins React Router's.
const kindOfAddress = new Function(`${KIND_OF_ADDRESS}; return kindOfAddress;`)() as (path: string) => string;

test("all things of a kind have one address, which leads to the same screen", () => {
  const [id, other] = [crypto.randomUUID(), crypto.randomUUID()];
  expect(kindOfAddress(`/product/${id}`)).toBe(kindOfAddress(`/product/${other}`));
  expect(kindOfAddress(`/product/${id}/edit`)).toBe("/product/0/edit");
  expect(matchPath("/product/:productId", kindOfAddress(`/product/${id}`))).not.toBeNull();
  for (const path of ["/", "/home", "/category/electronics", "/myshop/money"]) expect(kindOfAddress(path)).toBe(path);
});

test("React Router's code still has the places that the build changes", () => {
  const id = "node_modules/react-router/dist/production/lib/dom/ssr/fog-of-war.js";
  const code = readFileSync(id, "utf8");
  const { transform } = discoverKinds() as { transform: (code: string, id: string) => { code: string } | null };
  const changed = transform(code, `/${id}`)?.code ?? "";
  expect(changed.match(/kindOfAddress\(/g)).toHaveLength(3);
});
