/**
 * The order of the business folders holds in SQL, too: a folder names its own tables and those of earlier folders. What
 * it needs of a later one, it is given: as a statement, a condition, or a function.
 */
import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { getTableName, is } from "drizzle-orm";
import { SQLiteTable } from "drizzle-orm/sqlite-core";
import { expect, test } from "vitest";
import * as schema from "#app/db/schema.ts";
import * as rows from "#app/db/table-rows.ts";

const app = resolve(import.meta.dirname, "../../app");

/** The folders in order, and the tables of each: where their states are decided, or the first that they belong to. */
const OWNERS: Record<string, string> = {
  safety: "",
  live: "",
  notifications: "notifications notificationSettings gatheredNews pushSubscriptions",
  accounts: `credentials endedSessions emailTokens campusLocations meetingPoints universityDomains profiles
    rememberedEmails authenticators passkeys verificationDocuments wholesalerDetails wholesalerCodes blocks uploads
    userRatings sellerBuyers shops`,
  // An accepted offer keeps a piece of its listing, as a payment does, so the stock has to know it.
  catalogue: `categories products priceSteps stockWaits
    prohibitedTerms itemTypes itemTypeWords missedSearches offers savedQueries savedSearches
    foundListings listingNews`,
  shops: "shopFollows subscriptions",
  basket: "cartItems wishlistItems",
  // Payments start deals, so their records and the meeting from the checkout stand before them.
  orders: "orders orderItems meetings dealEvents dealTimers dealHolds issueReports",
  payments: `paymentAttempts payouts payoutItems receiptChecks paymentCallbacks probes refunds ledgerEntries
    discrepancies mpesaLists unmatchedLines darajaTokens`,
  deals: "problems",
  messaging: "messages conversations",
  offers: "",
  meetings: "",
  reviews: "reviews",
  upkeep: "listingDays",
  digest: "",
  team: "auditLog",
  moderation: "moderationCases reports adminProposals adminMoves",
  admin: "alarms secretDates",
};

/** `app/db` has the statements on these for everybody. */
const PLUMBING = "copies outbox rateCounters leases passes writeMarks";

/** Files that name a later folder's tables all the same, and why. */
const EXCEPTIONS: Record<string, [tables: string, why: string]> = {
  "notifications/notify.server.ts": ["credentials profiles", "one statement tells many readers, each at their address"],
  "notifications/delivery.server.ts": [
    "credentials profiles",
    "nothing leaves for an account that was closed meanwhile",
  ],
  "notifications/push/push-queue.server.ts": ["credentials", "a browser is told nothing once its session has ended"],
  "notifications/push/push-subscriptions.server.ts": [
    "credentials",
    "a browser is told nothing once its session has ended",
  ],
  "notifications/settings.server.ts": ["credentials profiles", "nothing is chosen for an account that was deleted"],
  "accounts/viewer.server.ts": [
    "cartItems wishlistItems messages",
    "each request asks for the viewer and the numbers in the bars, as one prepared row",
  ],
  "accounts/trust/verified-effects.server.ts": [
    "products",
    "who verifies a person marks their listings in the same batch; a caller could forget to hand it in",
  ],
  "accounts/profile/payout-phone.server.ts": [
    "orderItems payouts products",
    "each way to change the number must ask whether money is coming; a caller could forget to hand it in",
  ],
  "accounts/trust/reliability.server.ts": [
    "conversations",
    "how fast a seller answers stands on product pages, which come before messages",
  ],
  "catalogue/saved/still-wanted.server.ts": [
    "shopFollows",
    "the daily notifications of saved searches and of followed shops are gathered together",
  ],
  "catalogue/stock/stock-effects.server.ts": [
    "orderItems paymentAttempts wishlistItems",
    "the pieces that are reserved, and who is told that some are free, follow from who pays and who wishes",
  ],
  "catalogue/stock/reservations.server.ts": [
    "orderItems paymentAttempts",
    "what is left of a listing depends on who is paying for it",
  ],
  "catalogue/stock/returned-pieces.server.ts": [
    "orderItems",
    "the stock that a seller sets includes the pieces that came back; a write, in three places of the catalogue",
  ],
  "orders/replaced-orders.server.ts": ["paymentAttempts", "an order that is being paid is not replaced"],
  "orders/orders.server.ts": ["paymentAttempts refunds", "lists and pages of orders say what goes back to the buyer"],
  "payments/open-report.server.ts": ["moderationCases reports", "a buyer's report to our team stops a release"],
  "team/admin-pages.server.ts": [
    "adminProposals alarms moderationCases",
    "each admin page counts in its own batch what waits on all of them",
  ],
  "deals/deal-facts.server.ts": ["messages", "whose turn it is depends on who wrote last"],
};

const order = Object.keys(OWNERS);
const ownerOf = new Map(order.flatMap((folder) => wordsOf(OWNERS[folder]).map((table) => [table, folder] as const)));
const tables = Object.entries(schema).flatMap(([key, table]) =>
  is(table, SQLiteTable) ? [{ key, name: getTableName(table) }] : [],
);

/** Which table each import of the schema names, and each name of a table's rows. */
const imports = new Map(
  Object.entries({ ...schema, ...rows }).flatMap(([key, table]) => {
    if (!is(table, SQLiteTable)) return [];
    const name: unknown = Reflect.get(table, Symbol.for("drizzle:OriginalName"));
    return [[key, tables.find((own) => own.name === name)?.key] as const];
  }),
);

function wordsOf(text = ""): string[] {
  return text.split(/\s+/).filter(Boolean);
}

/** The tables that a file names: those that it imports, and those in SQL that is text. */
function tablesIn(text: string): string[] {
  const lists = [...text.matchAll(/import (?:type )?\{([^}]*)\} from "#app\/db\/(?:schema|table-rows)\.ts"/g)];
  const imported = new Set(
    lists.flatMap(([, names = ""]) => names.match(/\w+/g) ?? []).map((name) => imports.get(name)),
  );
  return tables
    .filter(({ key, name }) => imported.has(key) || new RegExp(`\\b(FROM|JOIN|INTO|UPDATE) ${name}\\b`).test(text))
    .map(({ key }) => key);
}

/** The later folders' tables in each file that names some. */
function laterTables(): Record<string, string> {
  const found = order.flatMap((folder, at) =>
    globSync(`${folder}/**/*.{ts,tsx}`, { cwd: app }).map((file) => {
      const named = tablesIn(readFileSync(join(app, file), "utf8"));
      const later = named.filter((table) => order.indexOf(ownerOf.get(table) ?? "") > at);
      return [file, later.toSorted().join(" ")] as const;
    }),
  );
  return Object.fromEntries(found.filter(([, later]) => later !== ""));
}

test("each table of the schema has one owner", () => {
  const owned = [...order.flatMap((folder) => wordsOf(OWNERS[folder])), ...wordsOf(PLUMBING)];
  expect(owned.toSorted()).toEqual(tables.map(({ key }) => key).toSorted());
});

test("no folder names a later one's table, but for the listed files", () => {
  const allowed = Object.entries(EXCEPTIONS).map(([file, [named]]) => [file, wordsOf(named).toSorted().join(" ")]);
  expect(laterTables()).toEqual(Object.fromEntries(allowed));
});
