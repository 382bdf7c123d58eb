/**
 * A folder owns the tables that its `tables.server.ts` declares. It imports its own and those of earlier folders, which
 * the linter holds (`oxlint.config.ts`). Here is what the linter can't see: tables in SQL that is text, and who writes.
 */
import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";

const app = resolve(import.meta.dirname, "../../app");
const folderOf = (file: string) => file.split("/")[0] ?? "";

const files = globSync("**/*.{ts,tsx}", { cwd: app })
  .toSorted()
  .map((file) => ({ file, text: readFileSync(join(app, file), "utf8") }));

/** Each table by the name of its constant, with its name in SQL and its owner. */
const tables = new Map(
  files
    .filter(({ file }) => file.endsWith("/tables.server.ts"))
    .flatMap(({ file, text }) =>
      Array.from(text.matchAll(/export const (\w+) = sqliteTable\(\s*"(\w+)"/g), ([, key = "", name = ""]) => {
        return [key, { name, owner: folderOf(file) }] as const;
      }),
    ),
);

/** What each folder writes of others, and why. */
const WRITES_OF_OTHERS: Record<string, [tables: string, why: string]> = {
  accounts: [
    "outbox products pushSubscriptions rateCounters",
    "an account that goes or logs in clears its emails, browsers and counters; its level marks its listings",
  ],
  catalogue: [
    "orderItems profiles shops uploads",
    "photos are stored here, also of people; a first listing makes a seller; pieces that came back are stock",
  ],
  shops: [
    "foundListings profiles shops",
    "a shop's form and its plan change its row and its owner's; followed shops bring listings",
  ],
  orders: ["cartItems sellerBuyers", "what is ordered leaves the cart, and sales count for their seller"],
  payments: [
    "issueReports leases offers orderItems orders reports sellerBuyers subscriptions",
    "a payment settles its order, offer or plan, and a release ends what could have stopped it",
  ],
  deals: [
    "attendance campusLocations dealEvents dealHolds dealTimers issueReports orderItems orders",
    "a deal is the life of an order's item; how its meeting went counts for both people, and protected ones for a campus",
  ],
  messaging: ["blocks", "people block each other in their conversation"],
  offers: ["offers", "the stock has to know accepted offers, so they stand with the catalogue"],
  meetings: ["meetings orders", "the checkout suggests the first meeting, so they stand with the orders"],
  reviews: ["shops userRatings", "reviews count as the stars of a person and the score of a shop"],
  upkeep: ["writeMarks", "a lot of views has a mark, so that none is counted twice"],
  moderation: [
    "copies credentials messages profiles reviews shops uploads",
    "what a case is about is copied, taken down or given back",
  ],
  admin: [
    `campusLocations categories discrepancies issueReports itemTypeWords itemTypes leases loginIssuers
    meetingPoints missedSearches profiles prohibitedTerms serviceFees universityDomains unmatchedLines
    wholesalerCodes wholesalerDetails`,
    "what our team decides changes what others own",
  ],
};

/** The tables that a text inserts into, updates or deletes from. */
function writtenIn(text: string): string[] {
  const written =
    /(?:\b(?:insert|update|delete)|\binsertEach)\(\s*(\w+)\s*[,)]|\b(?:INTO|UPDATE|DELETE FROM) \$\{(\w+)\}/g;
  return Array.from(text.matchAll(written), ([, built, plain]) => built ?? plain ?? "");
}

/** The tables of others that each folder writes. */
function writesOfOthers(): Record<string, string> {
  const found = new Map<string, Set<string>>();
  for (const { file, text } of files) {
    for (const table of writtenIn(text)) {
      const owner = tables.get(table)?.owner;
      if (owner === undefined || owner === folderOf(file)) continue;
      found.set(folderOf(file), (found.get(folderOf(file)) ?? new Set()).add(table));
    }
  }
  return Object.fromEntries([...found].map(([folder, written]) => [folder, [...written].toSorted().join(" ")]));
}

test("only its owner writes a table, but for what is listed", () => {
  expect(tables.size).toBeGreaterThan(70);
  const listed = Object.entries(WRITES_OF_OTHERS).map(([folder, [named]]) => [
    folder,
    named.split(/\s+/).toSorted().join(" "),
  ]);
  expect(writesOfOthers()).toEqual(Object.fromEntries(listed));
});

test("SQL that is text names no table, so that the imports tell them all", () => {
  const names = [...tables.values()].map(({ name }) => name).join("|");
  const named = new RegExp(`\\b(FROM|JOIN|INTO|UPDATE) (${names})\\b`);
  expect(files.filter(({ text }) => named.test(text)).map(({ file }) => file)).toEqual([]);
});

test("whoever imports from a later folder says why", () => {
  const silent = /oxlint-disable[\w-]* eslint\/no-restricted-imports(?! -- \w)/;
  expect(files.filter(({ text }) => silent.test(text)).map(({ file }) => file)).toEqual([]);
});
