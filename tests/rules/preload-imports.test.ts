import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { preloadImports } from "#scripts/preload-imports.ts";

test("React Router's code still has the place that the build changes", () => {
  const id = "node_modules/react-router/dist/production/lib/dom/ssr/routeModules.js";
  const code = readFileSync(id, "utf8");
  const { transform } = preloadImports() as { transform: (code: string, id: string) => { code: string } | null };
  const changed = transform(code, `/${id}`)?.code ?? "";
  expect(changed.match(/preloadModules\(/g)).toHaveLength(2);
});
