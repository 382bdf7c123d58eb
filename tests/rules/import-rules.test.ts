import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";

const root = resolve(import.meta.dirname, "../..");
let house = "";

beforeAll(() => {
  house = mkdtempSync(join(tmpdir(), "chuoni-imports-"));
  for (const name of ["oxlint.config.ts", "package.json", "tsconfig.json"]) copyFileSync(join(root, name), join(house, name));
  symlinkSync(join(root, "node_modules"), join(house, "node_modules"));
});

afterAll(() => {
  rmSync(house, { recursive: true, force: true });
});

const Report = z.object({ diagnostics: z.array(z.object({ filename: z.string(), code: z.string() })) });

/** Lints the given files, by path, in a house of their own; answers the rules that spoke up, by path. */
function lint(files: Record<string, string>): Record<string, string[]> {
  for (const folder of ["app", "workers", "tests"]) rmSync(join(house, folder), { recursive: true, force: true });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(house, path)), { recursive: true });
    writeFileSync(join(house, path), text);
  }
  const found: Record<string, string[]> = {};
  for (const { filename, code } of Report.parse(JSON.parse(runOxlint())).diagnostics) (found[filename] ??= []).push(code);
  return found;
}

function runOxlint(): string {
  const options = ["node_modules/oxlint/bin/oxlint", "--format=json"];
  try {
    return execFileSync(process.execPath, options, { cwd: house, encoding: "utf8", stdio: "pipe" });
  } catch (error) {
    if (error instanceof Error && "stdout" in error && typeof error.stdout === "string" && error.stdout !== "") return error.stdout;
    throw error;
  }
}

const RESTRICTED = "eslint(no-restricted-imports)";

test.each([
  ["a room imports a later room", "app/catalogue/listing.server.ts", 'import { a } from "#app/orders/rules.ts";'],
  ["a room imports the tour", "app/orders/panel.tsx", 'import { a } from "#app/tutorial/steps.ts";'],
  ["the tour imports a room", "app/tutorial/steps.ts", 'import { a } from "#app/accounts/rules.ts";'],
  ["a room imports a route", "app/orders/panel.tsx", 'import { a } from "#app/routes/orders.tsx";'],
  ["the interface imports a room", "app/ui/price.tsx", 'import { a } from "#app/catalogue/rules.ts";'],
  ["the interface imports a room's type", "app/ui/price.tsx", 'import type { a } from "#app/catalogue/rules.ts";'],
  ["the database layer imports a room", "app/db/client.ts", 'import { a } from "#app/orders/rules.ts";'],
  ["rules import a library", "app/orders/rules.ts", 'import { z } from "zod";'],
  ["rules import a use case beside them", "app/orders/rules.ts", 'import { a } from "./place-order.server.ts";'],
  ["rules import the database's types", "app/orders/rules.ts", 'import type { a } from "#app/db/schema.ts";'],
  ["rules import a later room's rules", "app/orders/rules.ts", 'import { a } from "#app/payments/rules.ts";'],
  ["rules import values of the gateway", "app/payments/rules.ts", 'import { a } from "#app/payments/gateway.ts";'],
  ["a component imports a use case", "app/orders/panel.tsx", 'import { a } from "./place-order.server.ts";'],
  ["a component imports drizzle", "app/orders/panel.tsx", 'import { eq } from "drizzle-orm";'],
  ["a route imports drizzle", "app/routes/feed.tsx", 'import { eq } from "drizzle-orm/sql";'],
  ["a route imports the schema", "app/routes/feed.tsx", 'import { a } from "#app/db/schema.ts";'],
  ["the app imports the workers", "app/context.ts", 'import type { Env } from "#workers/env.ts";'],
  ["a use case imports the workers", "app/orders/place-order.server.ts", 'import { a } from "#workers/services.ts";'],
  ["a worker imports the sandbox", "workers/services.ts", 'import { a } from "#workers/sandbox/sandbox.ts";'],
  ["a worker imports the sandbox when it runs", "workers/services.ts", 'export const a = import("#workers/sandbox/sandbox.ts");'],
  ["a worker imports drizzle", "workers/api/mpesa.ts", 'import { eq } from "drizzle-orm";'],
  ["a file reaches up by a relative path", "tests/workers/orders.test.ts", 'import { a } from "../support/worker.ts";'],
])("it is an error when %s", (_, path, line) => {
  expect(lint({ [path]: `${line}\n` })[path]).toContain(RESTRICTED);
});

test.each([
  ["a room imports an earlier room", "app/orders/place-order.server.ts", 'export { a } from "#app/basket/cart.server.ts";'],
  ["a use case imports drizzle and the schema", "app/orders/list.server.ts", 'export { eq } from "drizzle-orm";\nexport { a } from "#app/db/schema.ts";'],
  ["a component imports a use case's type", "app/orders/panel.tsx", 'export type { a } from "./list.server.ts";'],
  ["rules import earlier rules", "app/orders/rules.ts", 'export { a } from "#app/catalogue/rules.ts";'],
  ["rules import the gateway's types", "app/payments/rules.ts", 'export type { a } from "./gateway.ts";'],
  ["a route imports rooms, interface and context", "app/routes/feed.tsx", 'export { a } from "#app/catalogue/list.server.ts";\nexport { b } from "#app/ui/price.tsx";\nexport { c } from "#app/context.ts";'],
  ["a worker imports the app", "workers/services.ts", 'export { a } from "#app/orders/place-order.server.ts";'],
  ["a test imports the sandbox", "tests/support/worker.ts", 'export { a } from "#workers/sandbox/sandbox.ts";'],
])("it is fine that %s", (_, path, line) => {
  expect(lint({ [path]: `${line}\n` })[path] ?? []).not.toContain(RESTRICTED);
});

test("files that import each other in a circle are an error, through aliases too", () => {
  const found = lint({
    "app/orders/first.ts": 'import { second } from "#app/orders/second.ts";\nexport const first = () => second;\n',
    "app/orders/second.ts": 'import { first } from "./first.ts";\nexport const second = () => first;\n',
  });
  expect(found["app/orders/first.ts"]).toContain("import(no-cycle)");
});

test("any is an error", () => {
  expect(lint({ "app/orders/loose.ts": "export function loose(value: any): string {\n  return String(value);\n}\n" })["app/orders/loose.ts"]).toContain("typescript(no-explicit-any)");
});
