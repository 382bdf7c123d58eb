import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { z } from "zod";

const root = resolve(import.meta.dirname, "../..");

/** An import, the file that has it, and its line. Every path occurs once, so that one run of the linter checks all. */
const FORBIDDEN: [act: string, path: string, line: string][] = [
  [
    "a business folder imports a later one",
    "app/catalogue/listing.server.ts",
    'import { a } from "#app/orders/order-rules.ts";',
  ],
  [
    "a business folder names a later one's table",
    "app/shops/sold.server.ts",
    'import { orders } from "#app/orders/tables.server.ts";',
  ],
  [
    "a table refers to a later folder's",
    "app/catalogue/tables.server.ts",
    'import { orders } from "#app/orders/tables.server.ts";',
  ],
  ["messages import offers", "app/messaging/card.tsx", 'import { a } from "#app/offers/offer-rules.ts";'],
  ["a business folder imports the tour", "app/orders/tour.tsx", 'import { a } from "#app/tutorial/steps.ts";'],
  [
    "the tour imports a business folder",
    "app/tutorial/steps.ts",
    'import { a } from "#app/accounts/login/account-rules.ts";',
  ],
  ["a business folder imports a route", "app/orders/link.tsx", 'import { a } from "#app/routes/orders.tsx";'],
  [
    "the interface imports a business folder",
    "app/ui/price.tsx",
    'import { a } from "#app/catalogue/catalogue-rules.ts";',
  ],
  [
    "the interface imports a business folder's type",
    "app/ui/badge.tsx",
    'import type { a } from "#app/catalogue/catalogue-rules.ts";',
  ],
  [
    "a business folder imports a screen",
    "app/orders/link-to.tsx",
    'import { a } from "#app/screens/order/order-view.tsx";',
  ],
  ["a use case imports the request", "app/orders/ship.server.ts", 'import { a } from "#app/request/context.ts";'],
  ["the interface imports a screen", "app/ui/bar.tsx", 'import { a } from "#app/screens/member-frame.tsx";'],
  ["the platform imports the interface", "app/platform/clock.ts", 'import { a } from "#app/ui/dates.ts";'],
  [
    "the document imports a business folder",
    "app/document/head.tsx",
    'import { a } from "#app/orders/order-rules.ts";',
  ],
  [
    "the request imports a screen",
    "app/request/form-data.server.ts",
    'import { a } from "#app/screens/order/order.server.ts";',
  ],
  [
    "a screen's component imports a use case",
    "app/screens/order/view.tsx",
    'import { a } from "#app/orders/list.server.ts";',
  ],
  [
    "the database layer imports a business folder",
    "app/db/client.ts",
    'import { a } from "#app/orders/order-rules.ts";',
  ],
  [
    "the database layer names a table of the business",
    "app/db/leases.ts",
    'import { orders } from "#app/orders/tables.server.ts";',
  ],
  ["rules import a library", "app/accounts/login/account-rules.ts", 'import { z } from "zod";'],
  [
    "rules import a use case beside them",
    "app/catalogue/catalogue-rules.ts",
    'import { a } from "./place-order.server.ts";',
  ],
  ["rules import the type of a table", "app/shops/shop-rules.ts", 'import type { a } from "./tables.server.ts";'],
  [
    "rules import a later folder's rules",
    "app/orders/order-rules.ts",
    'import { a } from "#app/payments/collect/attempt-rules.ts";',
  ],
  [
    "rules import values of the gateway",
    "app/payments/collect/attempt-rules.ts",
    'import { a } from "#app/payments/gateway.ts";',
  ],
  [
    "a use case queues an email by itself",
    "app/orders/mail.server.ts",
    'import { queueEffect } from "#app/db/outbox.ts";',
  ],
  ["a component imports a use case", "app/orders/panel.tsx", 'import { a } from "./place-order.server.ts";'],
  ["a component imports drizzle", "app/orders/table.tsx", 'import { eq } from "drizzle-orm";'],
  ["a route imports drizzle", "app/routes/feed.tsx", 'import { eq } from "drizzle-orm/sql";'],
  ["a component imports a table", "app/shops/shop-card.tsx", 'import { a } from "./tables.server.ts";'],
  ["a route imports a table", "app/routes/product.tsx", 'import { a } from "#app/catalogue/tables.server.ts";'],
  ["a worker imports a table", "workers/api/stock.ts", 'import { a } from "#app/catalogue/tables.server.ts";'],
  ["the app imports the workers", "app/request/context.ts", 'import type { Env } from "#workers/env.ts";'],
  ["a use case imports the workers", "app/orders/place-order.server.ts", 'import { a } from "#workers/services.ts";'],
  ["a worker imports the sandbox", "workers/services.ts", 'import { a } from "#workers/sandbox/sandbox.ts";'],
  [
    "a worker imports the sandbox when it runs",
    "workers/app.ts",
    'export const a = import("#workers/sandbox/sandbox.ts");',
  ],
  ["a worker imports drizzle", "workers/api/mpesa.ts", 'import { eq } from "drizzle-orm";'],
  ["a file reaches up by a relative path", "tests/workers/orders.test.ts", 'import { a } from "../support/worker.ts";'],
];

const ALLOWED: typeof FORBIDDEN = [
  [
    "a business folder imports an earlier one",
    "app/orders/cancel.server.ts",
    'export { a } from "#app/basket/cart.server.ts";',
  ],
  [
    "a use case imports drizzle, its own tables and earlier ones",
    "app/orders/list.server.ts",
    'export { eq } from "drizzle-orm";\nexport { a } from "./tables.server.ts";\nexport { b } from "#app/catalogue/tables.server.ts";',
  ],
  ["a component imports the type of a table", "app/orders/facts.tsx", 'export type { a } from "./tables.server.ts";'],
  ["a component imports a use case's type", "app/orders/summary.tsx", 'export type { a } from "./list.server.ts";'],
  [
    "rules import earlier rules",
    "app/messaging/message-rules.ts",
    'export { a } from "#app/catalogue/photos/photo-rules.ts";',
  ],
  [
    "an offer imports its conversation",
    "app/offers/answer.server.ts",
    'export { a } from "#app/messaging/sending/send-message.server.ts";',
  ],
  ["rules import rules beside them", "app/basket/basket-rules.ts", 'export { a } from "./total-rules.ts";'],
  [
    "rules import the gateway's types",
    "app/admin/admin-rules.ts",
    'export type { a } from "#app/payments/gateway.ts";',
  ],
  [
    "a route imports business folders, interface and context",
    "app/routes/cart.tsx",
    'export { a } from "#app/catalogue/list.server.ts";\nexport { b } from "#app/ui/price.tsx";\nexport { c } from "#app/request/context.ts";',
  ],
  [
    "a screen's query imports business folders and drizzle",
    "app/screens/order/pages.server.ts",
    'export { eq } from "drizzle-orm";\nexport { a } from "#app/orders/list.server.ts";',
  ],
  ["a worker imports the app", "workers/jobs/payments.ts", 'export { a } from "#app/orders/place-order.server.ts";'],
  ["a test imports the sandbox", "tests/support/worker.ts", 'export { a } from "#workers/sandbox/sandbox.ts";'],
];

const CIRCULAR_IMPORTS: typeof FORBIDDEN = [
  ["", "app/basket/first.ts", 'import { second } from "#app/basket/second.ts";\nexport const first = () => second;'],
  ["", "app/basket/second.ts", 'import { first } from "./first.ts";\nexport const second = () => first;'],
];

const UNTYPED: typeof FORBIDDEN = [
  ["", "app/basket/loose.ts", "export function loose(value: any): string {\n  return String(value);\n}"],
];

const Report = z.object({ diagnostics: z.array(z.object({ filename: z.string(), code: z.string() })) });

/** The linter rules that reported something, by path. */
const found: Record<string, string[]> = {};

beforeAll(() => {
  const folder = mkdtempSync(join(tmpdir(), "chuoni-imports-"));
  for (const name of ["oxlint.config.ts", "package.json", "tsconfig.json"])
    copyFileSync(join(root, name), join(folder, name));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  for (const [, path, text] of [...FORBIDDEN, ...ALLOWED, ...CIRCULAR_IMPORTS, ...UNTYPED]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), `${text}\n`);
  }
  for (const { filename, code } of Report.parse(JSON.parse(runOxlint(folder))).diagnostics)
    (found[filename] ??= []).push(code);
  rmSync(folder, { recursive: true, force: true });
});

function runOxlint(folder: string): string {
  const options = ["node_modules/oxlint/bin/oxlint", "--format=json"];
  try {
    return execFileSync(process.execPath, options, { cwd: folder, encoding: "utf8", stdio: "pipe" });
  } catch (error) {
    if (error instanceof Error && "stdout" in error && typeof error.stdout === "string" && error.stdout !== "")
      return error.stdout;
    throw error;
  }
}

const RESTRICTED = "eslint(no-restricted-imports)";

test.each(FORBIDDEN)("it is an error when %s", (_, path) => {
  expect(found[path]).toContain(RESTRICTED);
});

test.each(ALLOWED)("it is fine that %s", (_, path) => {
  expect(found[path] ?? []).not.toContain(RESTRICTED);
});

test("files that import each other in a circle are an error, through aliases too", () => {
  expect(found["app/basket/first.ts"]).toContain("import(no-cycle)");
});

test("any is an error", () => {
  expect(found["app/basket/loose.ts"]).toContain("typescript(no-explicit-any)");
});
