/** Importing listings from a file: checked first, written once whatever happens, and found again by the SKU. */
import { env } from "cloudflare:workers";
import { and, eq, isNull } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { openHeldCases } from "#app/moderation/held-cases.server.ts";
import { deleteAccount } from "#app/screens/actions/delete-account.server.ts";
import { checkListingFile } from "#app/catalogue/import/check-listing-file.server.ts";
import { COLUMN_HEADERS, COLUMNS, type Cells } from "#app/catalogue/import/listing-columns.ts";
import {
  cancelImport,
  listBadRows,
  openImportPage,
  startImport,
  sweepImports,
} from "#app/catalogue/import/listing-imports.server.ts";
import { runImports } from "#app/catalogue/import/run-listing-import.server.ts";
import {
  categories,
  listingImportRows,
  listingImports,
  moderationCases,
  offers,
  priceSteps,
  products,
  verificationDocuments,
} from "#app/db/schema.ts";
import { idList } from "#app/db/build.ts";
import { cellValue, mayChange, writeCsv } from "#app/platform/csv.ts";
import { db, makeUser, makeWholesaler, servicesAt, setVerification, settleDeferred } from "#tests/support/fixtures.ts";
import { visit } from "#tests/support/visit.ts";
import { measured, meteredServices } from "#tests/support/metered.ts";
import { runBatch } from "#app/db/batch.ts";
import { afterReservationsChanged } from "#app/catalogue/stock/stock-effects.server.ts";

const FOREVER = { untilMs: Number.MAX_SAFE_INTEGER };
const DAY_MS = 24 * 60 * 60_000;

let sellerId: string;
beforeEach(async () => {
  await db
    .insert(categories)
    .values({ id: "stationery", name: "Stationery", nameKey: "stationery", status: "approved", createdAt: 1 })
    .onConflictDoNothing();
  sellerId = await makeWholesaler();
});

type Row = Partial<Cells>;

function rowOf(n: number, change: Row = {}): Row {
  return {
    sku: `BOOK-${n}`,
    name: `Exercise book ${n}`,
    description: "200 pages, ruled\nSoft cover",
    price: String(100 + n),
    category: "Stationery",
    condition: "New",
    stock: "40",
    steps: "12:90; 48:80",
    ...change,
  };
}

function rowsOf(count: number, change: (n: number) => Row = () => ({})): Row[] {
  return Array.from({ length: count }, (_, n) => rowOf(n, change(n)));
}

/** 200 rows, of which 7 are bad. */
const MIXED = rowsOf(200, (n) => {
  const bad: Record<number, Row> = {
    10: { price: "cheap" },
    20: { name: "" },
    30: { category: "Stationary" },
    40: { condition: "Broken" },
    50: { stock: "many" },
    60: { steps: "12:500" },
    70: { sku: "BOOK-1" },
  };
  return bad[n] ?? {};
});

function csvOf(rows: Row[]): string {
  return writeCsv(
    [Object.values(COLUMN_HEADERS), ...rows.map((row) => COLUMNS.map((column) => row[column] ?? ""))],
    mayChange,
  );
}

function fileOf(rows: Row[]): Uint8Array {
  return new TextEncoder().encode(csvOf(rows));
}

async function check(rows: Row[], seller = sellerId): Promise<string> {
  const answer = await checkListingFile(servicesAt(), { sellerId: seller, fileName: "stock.csv", bytes: fileOf(rows) });
  if (!answer.ok) throw new Error(answer.error);
  const { latest } = await openImportPage(db, seller);
  return latest?.id ?? "";
}

async function start(importId: string, seller = sellerId) {
  return startImport(servicesAt(), { sellerId: seller, importId });
}

/** Checks, starts and finishes an import, and returns its counts. */
async function importAll(rows: Row[], seller = sellerId) {
  const importId = await check(rows, seller);
  expect(await start(importId, seller)).toEqual({ ok: true });
  await runImports(servicesAt(), openHeldCases, { sellerId: seller, ...FOREVER });
  return countsOf(importId);
}

async function countsOf(importId: string) {
  const [row] = await db.select().from(listingImports).where(eq(listingImports.id, importId));
  const { state, createdRows: created, updatedRows: updated, unchangedRows: unchanged, failedRows: failed } = row ?? {};
  return { state, created, updated, unchanged, failed };
}

function listingsOf(seller = sellerId) {
  return db
    .select()
    .from(products)
    .where(and(eq(products.sellerId, seller), isNull(products.deletedAt)))
    .orderBy(products.createdAt, products.sku);
}

async function listing(sku: string, seller = sellerId) {
  const found = (await listingsOf(seller)).find((row) => row.sku === sku);
  if (!found) throw new Error(`no listing ${sku}`);
  return found;
}

describe("a file of 200 rows of which 7 are bad", () => {
  test("is checked first, which changes nothing and names each error with its line and column", async () => {
    const importId = await check(MIXED);
    expect(await listingsOf()).toEqual([]);
    const page = await openImportPage(db, sellerId);
    expect(page.latest).toMatchObject({ state: "ready", rows: 200, badRows: 7, newRows: 193, unchangedRows: 0 });
    expect(page.bad.map(({ line, errors }) => [line, Object.keys(errors)])).toEqual([
      [12, ["price"]],
      [22, ["name"]],
      [32, ["category"]],
      [42, ["condition"]],
      [52, ["stock"]],
      [62, ["steps"]],
      [72, ["sku"]],
    ]);
    expect(page.bad[2]?.errors.category).toContain("Did you mean Stationery?");
    expect(page.bad[6]?.errors.sku).toBe("Line 3 has the same SKU");
    await cancelImport(servicesAt(), { sellerId, importId });
    expect(await listingsOf()).toEqual([]);
  });

  test("is imported without them, and the same file again changes nothing", async () => {
    expect(await importAll(MIXED)).toEqual({ state: "done", created: 193, updated: 0, unchanged: 0, failed: 0 });
    const before = await listingsOf();
    expect(before).toHaveLength(193);
    expect(await listing("BOOK-0")).toMatchObject({
      name: "Exercise book 0",
      description: "200 pages, ruled\nSoft cover",
      price: 100,
      category: "stationery",
      condition: "new",
      stock: 40,
      status: "active",
      location: "Main Campus",
      wholesale: true,
      images: [],
    });
    const steps = await db
      .select()
      .from(priceSteps)
      .where(eq(priceSteps.productId, (await listing("BOOK-0")).id));
    expect(steps.map(({ fromQuantity, price }) => [fromQuantity, price])).toEqual([
      [12, 90],
      [48, 80],
    ]);
    const again = await check(MIXED);
    expect((await openImportPage(db, sellerId)).latest).toMatchObject({ newRows: 0, unchangedRows: 193, badRows: 7 });
    expect(await start(again)).toEqual({ ok: false, code: "gone" });
    expect(await listingsOf()).toEqual(before);
  });

  test("gives its bad rows back as a file with their errors", async () => {
    await check(MIXED);
    const file = await (await visit("/myshop/import/errors.csv", { as: sellerId })).text();
    expect(file).toContain("No category is called “Stationary”");
    expect(await listBadRows(db, sellerId)).toHaveLength(7);
  });
});

describe("a row finds its listing by the SKU", () => {
  test("and updates what differs, once, with its steps", async () => {
    await importAll(rowsOf(3));
    const { id } = await listing("BOOK-1");
    const rows = rowsOf(3, (n) => (n === 1 ? { name: "Better book", price: "150", steps: "24:120", stock: "7" } : {}));
    await check(rows);
    const page = await openImportPage(db, sellerId);
    expect(page.latest).toMatchObject({ newRows: 0, unchangedRows: 2 });
    expect(page.stockChanges).toBe(1);
    expect(await importAll(rows)).toMatchObject({ created: 0, updated: 1, unchanged: 2 });
    expect(await listing("BOOK-1")).toMatchObject({ id, name: "Better book", price: 150, stock: 7 });
    const steps = await db.select().from(priceSteps).where(eq(priceSteps.productId, id));
    expect(steps).toEqual([{ productId: id, fromQuantity: 24, price: 120 }]);
    expect(await listingsOf()).toHaveLength(3);
  });

  test("of this seller only", async () => {
    const other = await makeWholesaler();
    await importAll(rowsOf(2), other);
    const before = await listingsOf(other);
    await importAll(rowsOf(2, () => ({ price: "999" })));
    expect(await listingsOf(other)).toEqual(before);
    expect(await listing("BOOK-1")).toMatchObject({ price: 999 });
  });

  test("or by its number, where the listing has no SKU", async () => {
    await importAll(rowsOf(1));
    const { id } = await listing("BOOK-0");
    await db.update(products).set({ sku: null }).where(eq(products.id, id));
    expect(await importAll([rowOf(0, { sku: id, price: "555" })])).toMatchObject({ created: 0, updated: 1 });
    expect(await listingsOf()).toMatchObject([{ id, sku: null, price: 555 }]);
    await check([rowOf(0, { sku: crypto.randomUUID() })]);
    const { bad } = await openImportPage(db, sellerId);
    expect(bad[0]?.errors.sku).toContain("You have no listing with this number");
  });

  test("and lists it again after its seller deleted it", async () => {
    await importAll(rowsOf(1));
    await db.update(products).set({ deletedAt: 1 }).where(eq(products.sellerId, sellerId));
    expect(await importAll(rowsOf(1))).toMatchObject({ created: 1 });
    expect(await listingsOf()).toHaveLength(1);
  });
});

test("what was exported changes nothing when it is imported", async () => {
  const tricky = [
    rowOf(0, {
      sku: "=1",
      name: "@ home lamp",
      description: '-cheap, "good"\n+ warm',
      stock: "",
      takesOffers: "yes",
      lowestOffer: "50",
    }),
    rowOf(1, { stock: "0", condition: "Used - Good", steps: "", minQuantity: "" }),
    rowOf(2, { minQuantity: "6", originalPrice: "1,900" }),
  ];
  await importAll(tricky);
  expect((await listing("BOOK-1")).status).toBe("sold");
  const exported = await (await visit("/myshop/import/listings.csv", { as: sellerId })).arrayBuffer();
  const answer = await checkListingFile(servicesAt(), { sellerId, fileName: "a.csv", bytes: new Uint8Array(exported) });
  expect(answer).toEqual({ ok: true });
  expect((await openImportPage(db, sellerId)).latest).toMatchObject({ rows: 3, unchangedRows: 3, badRows: 0 });
  const text = new TextDecoder().decode(exported);
  expect(text).toContain(`"'=1"`);
  expect(cellValue("'=1")).toBe("=1");
});

describe("a code that isn't quite a listing's", () => {
  const errorsNow = async () => (await openImportPage(db, sellerId)).bad.map(({ line, errors }) => [line, errors.sku]);

  test("is asked about where it differs in capital letters only, from a listing or within the file", async () => {
    await importAll([rowOf(0), rowOf(1, { sku: "Éclair-1" })]);
    await check([
      rowOf(0, { sku: "book-0" }),
      rowOf(1, { sku: "éCLAIR-1" }),
      rowOf(2, { sku: "PEN-1" }),
      rowOf(3, { sku: "pen-1" }),
      rowOf(4, { sku: "BOOK-0" }),
    ]);
    expect(await errorsNow()).toEqual([
      [2, expect.stringContaining("“BOOK-0”")],
      [3, expect.stringContaining("“Éclair-1”")],
      [5, expect.stringContaining("Line 4 has “PEN-1”")],
    ]);
  });

  test("is asked about where a spreadsheet took its first zeros, or a program wrote other dashes and spaces", async () => {
    await importAll([rowOf(0, { sku: "00123" }), rowOf(1, { sku: "PEN-1 B" })]);
    await check([
      rowOf(0, { sku: "123" }),
      rowOf(1, { sku: "PEN\u20131\u00A0B" }),
      rowOf(2, { sku: "0042" }),
      rowOf(3, { sku: "42" }),
      rowOf(4, { sku: "A0042" }),
      rowOf(5, { sku: "A42" }),
    ]);
    expect(await errorsNow()).toEqual([
      [2, expect.stringContaining("“00123”")],
      [3, expect.stringContaining("“PEN-1 B”")],
      [5, expect.stringContaining("Line 4 has “0042”")],
    ]);
  });

  test("in a row with a Version is an error, because it names a listing that is there already", async () => {
    await importAll([rowOf(0)]);
    const exported = await (await visit("/myshop/import/listings.csv", { as: sellerId })).text();
    const sent = async (text: string) => {
      const bytes = new TextEncoder().encode(text);
      return checkListingFile(servicesAt(), { sellerId, fileName: "a.csv", bytes });
    };
    expect(await sent(exported.replace("BOOK-0", "Mar-12"))).toEqual({ ok: true });
    expect(await errorsNow()).toEqual([[2, expect.stringContaining("apostrophe")]]);
    expect(await sent(exported.replace("BOOK-0", "BOOK-00"))).toEqual({ ok: true });
    expect(await errorsNow()).toEqual([[2, expect.stringContaining("Version")]]);
    expect(await sent(exported.replace(/"v\.[^"]*"/, '""').replace("BOOK-0", "BOOK-00"))).toEqual({ ok: true });
    expect((await openImportPage(db, sellerId)).latest).toMatchObject({ newRows: 1, badRows: 0 });
  });

  test("cut in two by a comma is left out, and the file with the errors makes no listing of it either", async () => {
    const cut = csvOf([rowOf(0, { price: "12,500" }), rowOf(1)]).replace(`"'12,500"`, "12,500");
    expect(
      await checkListingFile(servicesAt(), { sellerId, fileName: "a.csv", bytes: new TextEncoder().encode(cut) }),
    ).toEqual({
      ok: true,
    });
    expect((await openImportPage(db, sellerId)).bad).toMatchObject([{ line: 2, errors: { row: /more cells/ } }]);
    const again = await (await visit("/myshop/import/errors.csv", { as: sellerId })).arrayBuffer();
    await checkListingFile(servicesAt(), { sellerId, fileName: "b.csv", bytes: new Uint8Array(again) });
    expect((await openImportPage(db, sellerId)).latest).toMatchObject({ newRows: 0, badRows: 1 });
  });
});

describe("stock", () => {
  async function reserve(sku: string, change: { stock?: number; reserved?: number }): Promise<void> {
    await db
      .update(products)
      .set(change)
      .where(eq(products.id, (await listing(sku)).id));
  }

  test("that was sold after the file was checked isn't brought back", async () => {
    await importAll(rowsOf(3));
    const importId = await check(rowsOf(3, () => ({ stock: "50", price: "95" })));
    await reserve("BOOK-1", { stock: 38 });
    await start(importId);
    await runImports(servicesAt(), openHeldCases, { sellerId, ...FOREVER });
    expect(await countsOf(importId)).toMatchObject({ state: "done", updated: 2, failed: 1 });
    expect(await listing("BOOK-1")).toMatchObject({ stock: 38, price: 101 });
    expect((await openImportPage(db, sellerId)).bad).toMatchObject([{ line: 3, errors: { stock: /You have 38 now/ } }]);
  });

  test("that the row leaves as it is follows the sales", async () => {
    await importAll(rowsOf(1));
    const importId = await check(rowsOf(1, () => ({ price: "95" })));
    await reserve("BOOK-0", { stock: 38 });
    await start(importId);
    await runImports(servicesAt(), openHeldCases, { sellerId, ...FOREVER });
    expect(await listing("BOOK-0")).toMatchObject({ stock: 38, price: 95 });
  });

  test("below what is being paid for fails that row, when the file is checked and when it is imported", async () => {
    await importAll(rowsOf(2));
    await reserve("BOOK-0", { reserved: 5 });
    const importId = await check(rowsOf(2, () => ({ stock: "3" })));
    expect((await openImportPage(db, sellerId)).bad).toMatchObject([{ line: 2, errors: { stock: /at least 5/ } }]);
    await reserve("BOOK-1", { reserved: 4 });
    await start(importId);
    await runImports(servicesAt(), openHeldCases, { sellerId, ...FOREVER });
    expect(await countsOf(importId)).toMatchObject({ state: "done", updated: 0, failed: 1 });
    expect(await listing("BOOK-1")).toMatchObject({ stock: 40, reserved: 4 });
  });

  test("of a sold-out listing makes it active again", async () => {
    await importAll([rowOf(0, { stock: "0" })]);
    expect((await listing("BOOK-0")).status).toBe("out_of_stock");
    await importAll([rowOf(0, { stock: "9" })]);
    expect((await listing("BOOK-0")).status).toBe("active");
  });
});

test("a new price ends open offers, and keeps an accepted one", async () => {
  await importAll(rowsOf(2));
  const states = ["open", "accepted"] as const;
  for (const [n, state] of states.entries()) {
    const { id: productId } = await listing(`BOOK-${n}`);
    const [id, buyerId, now] = [crypto.randomUUID(), await makeUser(), Date.now()];
    const times = { expiresAt: now + DAY_MS, createdAt: now, updatedAt: now };
    const offer = { id, productId, buyerId, sellerId, amount: 95, listingPrice: 100, revision: 0 };
    await runBatch(db, [
      db.insert(offers).values({ ...offer, ...times, state }),
      ...afterReservationsChanged(idList(productId), now),
    ]);
  }
  await importAll(rowsOf(2, () => ({ price: "150" })));
  const left = await db.select().from(offers).where(eq(offers.sellerId, sellerId)).orderBy(offers.state);
  expect(left.map(({ state, endReason }) => [state, endReason])).toEqual([
    ["accepted", null],
    ["ended", "price_changed"],
  ]);
  expect(await listing("BOOK-1")).toMatchObject({ stock: 40, reserved: 1 });
});

describe("an import that runs", () => {
  test("writes each row once, however many runners work on it", async () => {
    const importId = await check(rowsOf(250));
    await start(importId);
    const runners = Array.from({ length: 3 }, () =>
      runImports(servicesAt(), openHeldCases, { sellerId: null, ...FOREVER }),
    );
    await Promise.all(runners);
    await runImports(servicesAt(), openHeldCases, { sellerId, ...FOREVER });
    expect(await countsOf(importId)).toMatchObject({ state: "done", created: 250, failed: 0 });
    expect(await listingsOf()).toHaveLength(250);
  });

  test.each(["before", "after"])(
    "goes on where a worker that stopped %s a batch left it, and repeats nothing",
    async (when) => {
      const importId = await check(rowsOf(250));
      await start(importId);
      const services = servicesAt();
      let batches = 0;
      const $client = {
        prepare: (query: string) => services.db.$client.prepare(query),
        async batch(statements: D1PreparedStatement[]) {
          batches += 1;
          // Two reads and a write for each hundred rows.
          const isLast = batches === 6;
          if (isLast && when === "before") throw new Error("the worker was stopped");
          const answers = await services.db.$client.batch(statements);
          if (isLast) throw new Error("the worker was stopped");
          return answers;
        },
      } as unknown as D1Database;
      const interruptedDb = new Proxy(services.db, {
        get: (target, property) => (property === "$client" ? $client : (Reflect.get(target, property) as unknown)),
      });
      await runImports({ ...services, db: interruptedDb }, openHeldCases, { sellerId, ...FOREVER });
      expect(await countsOf(importId)).toMatchObject({ state: "running", created: when === "before" ? 100 : 200 });
      // Its claim still holds.
      expect(await runImports(servicesAt(), openHeldCases, { sellerId, ...FOREVER })).toBe(0);
      await runImports(servicesAt(31_000), openHeldCases, { sellerId: null, ...FOREVER });
      await settleDeferred();
      expect(await countsOf(importId)).toMatchObject({ state: "done", created: 250 });
      expect(await listingsOf()).toHaveLength(250);
    },
  );

  test("stops when it is cancelled, and keeps what it has written", async () => {
    const importId = await check(rowsOf(250));
    await start(importId);
    await runImports(servicesAt(), openHeldCases, { sellerId, untilMs: 0 });
    expect(await countsOf(importId)).toMatchObject({ state: "running" });
    await cancelImport(servicesAt(), { sellerId: await makeWholesaler(), importId });
    expect(await countsOf(importId)).toMatchObject({ state: "running" });
    await cancelImport(servicesAt(), { sellerId, importId });
    expect(await runImports(servicesAt(), openHeldCases, { sellerId, ...FOREVER })).toBe(0);
    expect(await countsOf(importId)).toMatchObject({ state: "cancelled" });
    expect((await listingsOf()).length).toBeLessThan(250);
  });

  test("is the seller's only one", async () => {
    const first = await check(rowsOf(2));
    await start(first);
    const second = await checkListingFile(servicesAt(), { sellerId, fileName: "b.csv", bytes: fileOf(rowsOf(1)) });
    expect(second).toMatchObject({ ok: false, error: /Another import is running/ });
    expect(await start(first, await makeWholesaler())).toEqual({ ok: false, code: "gone" });
  });

  test("ends when its seller is no longer verified", async () => {
    const importId = await check(rowsOf(3));
    await start(importId);
    await setVerification(sellerId, "pending");
    await runImports(servicesAt(), openHeldCases, { sellerId, ...FOREVER });
    expect(await countsOf(importId)).toMatchObject({ state: "cancelled", created: 0 });
    expect(await listingsOf()).toEqual([]);
  });

  test("ends with its seller's account, and leaves nothing of the file", async () => {
    const importId = await check(rowsOf(3));
    await start(importId);
    expect(await deleteAccount(servicesAt(), sellerId)).toMatchObject({ ok: true });
    await runImports(servicesAt(), openHeldCases, { sellerId: null, ...FOREVER });
    expect(await listingsOf()).toEqual([]);
    expect(await db.select().from(listingImportRows).where(eq(listingImportRows.importId, importId))).toEqual([]);
    expect(await countsOf(importId)).toMatchObject({ state: undefined });
  });

  test("fails the rows of a category that was removed", async () => {
    const id = crypto.randomUUID();
    await db.insert(categories).values({ id, name: id, nameKey: id, status: "approved", createdAt: 1 });
    const importId = await check(rowsOf(2, (n) => (n === 1 ? { category: id } : {})));
    await db.delete(categories).where(eq(categories.id, id));
    await start(importId);
    await runImports(servicesAt(), openHeldCases, { sellerId, ...FOREVER });
    expect(await countsOf(importId)).toMatchObject({ state: "done", created: 1, failed: 1 });
  });
});

describe("who may import", () => {
  const form = () => {
    const fields = new FormData();
    fields.set("intent", "check");
    fields.set("file", new File([csvOf(rowsOf(1))], "stock.csv"));
    return fields;
  };

  test.each([
    ["a student", async () => makeUser(), "Imports are for verified wholesalers"],
    [
      "a wholesaler who waits for approval",
      async () => {
        const id = await makeWholesaler({ verificationStatus: "pending" });
        await db.insert(verificationDocuments).values({
          id: crypto.randomUUID(),
          userId: id,
          documentType: "business_license",
          documentUrl: `verification-documents/${id}/1.pdf`,
          fileName: "licence.pdf",
          contentType: "application/pdf",
          sizeBytes: 1,
          createdAt: 1,
        });
        return id;
      },
      "We&#x27;re checking your business document",
    ],
    [
      "a wholesaler whose document was lost at the sign-up",
      async () => makeWholesaler({ verificationStatus: "pending" }),
      "Upload your business document",
    ],
    [
      "a wholesaler whose document was rejected",
      async () => makeWholesaler({ verificationStatus: "rejected" }),
      "Upload a new one in Settings",
    ],
  ])("not %s, who reads what to do", async (_, make, text) => {
    const id = await make();
    expect(await (await visit("/myshop/import", { as: id })).text()).toContain(text);
    expect((await visit("/myshop/import", { as: id, form: form() })).status).toBe(400);
    for (const file of ["template.csv", "errors.csv", "listings.csv"])
      expect((await visit(`/myshop/import/${file}`, { as: id })).status).toBe(302);
    expect(await db.select().from(listingImports).where(eq(listingImports.sellerId, id))).toEqual([]);
  });

  test("a verified wholesaler, from the file to the listings without scripts", async () => {
    expect((await visit("/myshop/import", { as: sellerId, form: form() })).headers.get("Location")).toBe(
      "/myshop/import",
    );
    const page = await (await visit("/myshop/import", { as: sellerId })).text();
    expect(page).toContain("Import 1 row");
    const importId = /name="importId" value="([^"]+)"/.exec(page)?.[1] ?? "";
    await visit("/myshop/import", { as: sellerId, form: { intent: "start", importId } });
    expect(await (await visit("/myshop/import", { as: sellerId })).text()).toContain("Import done");
    expect(await listingsOf()).toHaveLength(1);
  });

  test.each([
    ["a workbook", new File([new Uint8Array([0x50, 0x4b, 3, 4])], "a.xlsx"), 400, "CSV UTF-8"],
    ["nothing", new File([], ""), 400, "Choose a CSV file first"],
    ["an empty file", new File([], "a.csv"), 400, "This file is empty"],
    ["too much", new File(["x".repeat(1_200_000)], "a.csv"), 413, "larger than 1 MB"],
  ])("a file that can't be read changes nothing and says why: %s", async (_, file, status, text) => {
    const fields = new FormData();
    fields.set("intent", "check");
    fields.set("file", file);
    const answer = await visit("/myshop/import", { as: sellerId, form: fields });
    expect(answer.status).toBe(status);
    expect(await answer.text()).toContain(text);
    expect((await openImportPage(db, sellerId)).latest).toBeNull();
  });
});

test("2,000 rows are imported in spite of the daily limit of the form, and no more new ones on that day", async () => {
  const { meter, ...metered } = meteredServices();
  const rows = rowsOf(2_000, () => ({ description: "200 pages, ruled. ".repeat(12) }));
  expect(await checkListingFile(metered, { sellerId, fileName: "all.csv", bytes: fileOf(rows) })).toEqual({ ok: true });
  const importId = (await openImportPage(db, sellerId)).latest?.id ?? "";
  await start(importId);
  const created = await measured(meter, () => runImports(metered, openHeldCases, { sellerId, ...FOREVER }));
  expect(await countsOf(importId)).toMatchObject({ state: "done", created: 2_000 });
  // A batch of 100 rows takes three round trips, and none reads the rows of another.
  expect(created.trips).toBeLessThan(70);
  expect(created.rows / 2_000).toBeLessThan(200);

  const dearer = await check(rows.map((row) => ({ ...row, price: `9${row.price}` })));
  await start(dearer);
  const updated = await measured(meter, () => runImports(metered, openHeldCases, { sellerId, ...FOREVER }));
  expect(await countsOf(dearer)).toMatchObject({ state: "done", updated: 2_000 });
  expect(updated.rows / 2_000).toBeLessThan(200);

  const more = await check([rowOf(9_999)]);
  expect(await start(more)).toEqual({ ok: false, code: "too_many" });
  const tomorrow = { ...servicesAt(DAY_MS + 1_000) };
  expect(await startImport(tomorrow, { sellerId, importId: more })).toEqual({ ok: true });
});

test("a file that was checked the day before counts on the day on which it is imported", async () => {
  const importId = await check(rowsOf(2_000, () => ({ steps: "" })));
  const tomorrow = servicesAt(DAY_MS + 1_000);
  expect(await startImport(tomorrow, { sellerId, importId })).toEqual({ ok: true });
  await runImports(tomorrow, openHeldCases, { sellerId, ...FOREVER });
  expect(await countsOf(importId)).toMatchObject({ state: "done", created: 2_000 });
  const file = { sellerId, fileName: "more.csv", bytes: fileOf([rowOf(9_999)]) };
  expect(await checkListingFile(tomorrow, file)).toEqual({ ok: true });
  const more = (await openImportPage(db, sellerId)).latest?.id ?? "";
  expect(await startImport(tomorrow, { sellerId, importId: more })).toEqual({ ok: false, code: "too_many" });
});

test("old imports are deleted with their rows, and a running one stays", async () => {
  const old = await check(rowsOf(3));
  await cancelImport(servicesAt(), { sellerId, importId: old });
  const other = await makeWholesaler();
  const running = await check(rowsOf(3), other);
  await start(running, other);
  await sweepImports(servicesAt(29 * DAY_MS));
  expect(await countsOf(old)).toMatchObject({ state: "cancelled" });
  while ((await sweepImports(servicesAt(31 * DAY_MS))) > 0);
  expect(await db.select().from(listingImportRows).where(eq(listingImportRows.importId, old))).toEqual([]);
  expect(await db.select().from(listingImports).where(eq(listingImports.id, old))).toEqual([]);
  expect(await countsOf(running)).toMatchObject({ state: "running" });
});

test("rows with a prohibited word are imported and held, the result says so, and the seller gets one email", async () => {
  const rows = rowsOf(5, (n) => (n === 2 || n === 4 ? { description: `Comes with a pistol ${n}` } : {}));
  expect(await importAll(rows)).toMatchObject({ state: "done", created: 5, failed: 0 });
  const held = (await listingsOf()).filter(({ heldFor }) => heldFor !== null);
  expect(held.map(({ heldFor, suspendedAt }) => [heldFor, suspendedAt !== null])).toEqual([
    ["pistol", true],
    ["pistol", true],
  ]);
  const cases = () => db.$count(moderationCases, eq(moderationCases.reportedId, sellerId));
  expect(await cases()).toBe(2);
  expect(await (await visit("/myshop/import", { as: sellerId })).text()).toContain("2 of your listings");
  const mails = await env.DB.prepare(
    "SELECT payload ->> 'to' AS receiver FROM outbox WHERE payload ->> 'template' = 'import_held'",
  ).all();
  expect(mails.results).toHaveLength(1);

  // An update holds what is published, and leaves alone what is held.
  const again = rowsOf(5, (n) => ({ description: n === 2 ? "Just a book" : n === 3 ? "Bhang" : "Ruled" }));
  expect(await importAll(again)).toMatchObject({ state: "done", updated: 5 });
  const after = await listingsOf();
  expect(after.map(({ heldFor }) => heldFor).toSorted()).toEqual(["bhang", null, null, "pistol", "pistol"]);
  expect(await cases()).toBe(3);
});

test("a row that would hold a listing fails while somebody is buying it", async () => {
  expect(await importAll(rowsOf(2))).toMatchObject({ created: 2 });
  const [bought] = await listingsOf();
  await env.DB.prepare("UPDATE products SET reserved = 1 WHERE id = ?").bind(bought?.id).run();
  expect(await importAll(rowsOf(2, () => ({ description: "With a pistol" })))).toMatchObject({ updated: 1, failed: 1 });
  expect((await openImportPage(db, sellerId)).bad).toMatchObject([
    { errors: { description: expect.stringMatching(/^Somebody is buying this item now/) as string } },
  ]);
  expect((await listingsOf()).find(({ id }) => id === bought?.id)).toMatchObject({ heldFor: null, suspendedAt: null });
});

describe("a listing that was changed in the form", () => {
  const change = (set: Partial<typeof products.$inferInsert>) =>
    db
      .update(products)
      .set({ ...set, updatedAt: Date.now() + 1 })
      .where(and(eq(products.sellerId, sellerId), eq(products.sku, "BOOK-1")));
  const exported = async () =>
    (await visit("/myshop/import/listings.csv", { as: sellerId })).text().then((text) => text.replace("\uFEFF", ""));
  const send = async (text: string) => {
    const bytes = new TextEncoder().encode(text);
    expect(await checkListingFile(servicesAt(), { sellerId, fileName: "stock.csv", bytes })).toEqual({ ok: true });
    return openImportPage(db, sellerId);
  };
  const run = async (importId = "") => {
    expect(await start(importId)).toEqual({ ok: true });
    await runImports(servicesAt(), openHeldCases, { sellerId, ...FOREVER });
    return countsOf(importId);
  };

  test("after the export keeps that change, with what the file changes", async () => {
    await importAll([rowOf(1)]);
    const file = await exported();
    await change({ price: 150, stock: 39 });
    expect((await send(file)).latest).toMatchObject({ unchangedRows: 1 });
    const page = await send(file.replace("200 pages", "300 pages"));
    expect(await run(page.latest?.id)).toMatchObject({ updated: 1, failed: 0 });
    expect(await listing("BOOK-1")).toMatchObject({
      price: 150,
      stock: 39,
      description: "300 pages, ruled\nSoft cover",
    });
  });

  test("and in the file is asked about, and the file with the errors keeps the file's", async () => {
    await importAll([rowOf(1)]);
    const file = await exported();
    await change({ price: 150, stock: 39 });
    const page = await send(file.replace(/(?<=[,"])101(?=[,"])/, "140").replace(/(?<=[,"])40(?=[,"])/, "50"));
    expect(page.latest).toMatchObject({ badRows: 1 });
    expect(page.bad[0]?.errors).toEqual({
      price: expect.stringContaining("It is “150” now."),
      stock: expect.stringContaining("It is “39” now."),
    });
    const again = await send(await (await visit("/myshop/import/errors.csv", { as: sellerId })).text());
    expect(await run(again.latest?.id)).toMatchObject({ updated: 1, failed: 0 });
    expect(await listing("BOOK-1")).toMatchObject({ price: 140, stock: 50 });
  });

  test("between the check and the import keeps that change, or fails the row", async () => {
    await importAll([rowOf(1)]);
    const first = await check([rowOf(1, { description: "300 pages" })]);
    await change({ price: 150 });
    expect(await run(first)).toMatchObject({ updated: 1, failed: 0 });
    expect(await listing("BOOK-1")).toMatchObject({ price: 150, description: "300 pages" });

    const second = await check([rowOf(1, { price: "140", description: "400 pages" })]);
    await change({ price: 160 });
    expect(await run(second)).toMatchObject({ updated: 0, failed: 1 });
    expect(await listing("BOOK-1")).toMatchObject({ price: 160, description: "300 pages" });
    expect((await openImportPage(db, sellerId)).bad[0]?.errors.price).toContain("It is “160” now.");
  });
});
