/** Importing listings from a file: checked first, written once whatever happens, and found again by the SKU. */
import { deleteListing } from "#app/catalogue/selling/listings.server.ts";
import { env } from "cloudflare:workers";
import { and, eq, isNull } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { openHeldCases } from "#app/moderation/cases/held-cases.server.ts";
import { type FileResult, resultOf } from "#app/catalogue/import/file-result.ts";
import { importListings } from "#app/catalogue/import/import-listings.server.ts";
import {
  checkedVersions,
  type CheckedVersions,
  planListingFile,
} from "#app/catalogue/import/plan-listing-file.server.ts";
import { openImportPage } from "#app/catalogue/import/import-page.server.ts";
import { COLUMN_HEADERS, COLUMNS, type Cells } from "#app/catalogue/import/listing-columns.ts";
import { categories, offers, priceSteps, products } from "#app/catalogue/tables.server.ts";
import { moderationCases } from "#app/moderation/tables.server.ts";
import { verificationDocuments } from "#app/accounts/tables.server.ts";
import { idList } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import { cellValue, mayChange, writeCsv } from "#app/platform/csv.ts";
import { changeListing, db, makeUser, makeWholesaler, servicesAt, setVerification } from "#tests/support/fixtures.ts";
import { visit } from "#tests/support/visit.ts";
import { measured, meteredServices } from "#tests/support/metered.ts";
import { write } from "#app/db/batch.ts";
import { afterReservationsChanged } from "#app/catalogue/stock/stock-effects.server.ts";

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

/** A file that was checked. */
interface Checked extends FileResult {
  seller: string;
  bytes: Uint8Array;
  checked: CheckedVersions;
}

async function checkFile(bytes: Uint8Array, seller = sellerId, services: Store = servicesAt()): Promise<Checked> {
  const plan = await planListingFile(services, { sellerId: seller, bytes, checked: null });
  if (!plan.ok) throw new Error(plan.error);
  return { ...resultOf("stock.csv", plan.rows), seller, bytes, checked: checkedVersions(plan.rows) };
}

async function check(rows: Row[], seller = sellerId): Promise<Checked> {
  return checkFile(fileOf(rows), seller);
}

/** Imports a file that was checked. */
async function importFile({ seller: id, bytes, checked }: Checked, services: Store = servicesAt()) {
  const seller = { id, name: "Baraka Books", email: `${id}@campus.test`, campusLocation: "Main Campus" };
  const imported = await importListings(services, openHeldCases, { seller, bytes, checked });
  if (!imported.ok) throw new Error(imported.error);
  return resultOf("stock.csv", imported.rows);
}

/** Checks and imports a file, and returns what became of its rows. */
async function importAll(rows: Row[], seller = sellerId) {
  return (await importFile(await check(rows, seller))).counts;
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
    const { counts, bad, badFile } = await check(MIXED);
    expect(await listingsOf()).toEqual([]);
    expect(counts).toEqual({ created: 193, updated: 0, unchanged: 0, bad: 7 });
    expect(bad.map(({ line, errors }) => [line, Object.keys(errors)])).toEqual([
      [12, ["price"]],
      [22, ["name"]],
      [32, ["category"]],
      [42, ["condition"]],
      [52, ["stock"]],
      [62, ["steps"]],
      [72, ["sku"]],
    ]);
    expect(bad[2]?.errors.category).toContain("Did you mean Stationery?");
    expect(bad[6]?.errors.sku).toBe("Line 3 has the same SKU");
    expect(badFile).toContain("No category is called “Stationary”");
  });

  test("is imported without them, and the same file again changes nothing", async () => {
    const first = await check(MIXED);
    expect((await importFile(first)).counts).toEqual({ created: 193, updated: 0, unchanged: 0, bad: 7 });
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
    const unchanged = { created: 0, updated: 0, unchanged: 193, bad: 7 };
    expect((await check(MIXED)).counts).toEqual(unchanged);
    // The press again, whose first answer did not come.
    expect((await importFile(first)).counts).toEqual(unchanged);
    expect(await listingsOf()).toEqual(before);
  });
});

describe("a row finds its listing by the SKU", () => {
  test("and updates what differs, once, with its steps", async () => {
    await importAll(rowsOf(3));
    const { id } = await listing("BOOK-1");
    const rows = rowsOf(3, (n) => (n === 1 ? { name: "Better book", price: "150", steps: "24:120", stock: "7" } : {}));
    expect(await check(rows)).toMatchObject({ counts: { created: 0, unchanged: 2 }, stockChanges: 1 });
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
    const { bad } = await check([rowOf(0, { sku: crypto.randomUUID() })]);
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
  const { counts } = await checkFile(new Uint8Array(exported));
  expect(counts).toEqual({ created: 0, updated: 0, unchanged: 3, bad: 0 });
  const text = new TextDecoder().decode(exported);
  expect(text).toContain(`"'=1"`);
  expect(cellValue("'=1")).toBe("=1");
});

describe("a code that isn't quite a listing's", () => {
  const skuErrors = ({ bad }: FileResult) => bad.map(({ line, errors }) => [line, errors.sku]);

  test("is asked about where it differs in capital letters only, from a listing or within the file", async () => {
    await importAll([rowOf(0), rowOf(1, { sku: "Éclair-1" })]);
    const file = await check([
      rowOf(0, { sku: "book-0" }),
      rowOf(1, { sku: "éCLAIR-1" }),
      rowOf(2, { sku: "PEN-1" }),
      rowOf(3, { sku: "pen-1" }),
      rowOf(4, { sku: "BOOK-0" }),
    ]);
    expect(skuErrors(file)).toEqual([
      [2, expect.stringContaining("“BOOK-0”")],
      [3, expect.stringContaining("“Éclair-1”")],
      [5, expect.stringContaining("Line 4 has “PEN-1”")],
    ]);
  });

  test("is asked about where a spreadsheet took its first zeros, or a program wrote other dashes and spaces", async () => {
    await importAll([rowOf(0, { sku: "00123" }), rowOf(1, { sku: "PEN-1 B" })]);
    const file = await check([
      rowOf(0, { sku: "123" }),
      rowOf(1, { sku: "PEN\u20131\u00A0B" }),
      rowOf(2, { sku: "0042" }),
      rowOf(3, { sku: "42" }),
      rowOf(4, { sku: "A0042" }),
      rowOf(5, { sku: "A42" }),
      rowOf(6, { sku: "AB-1" }),
      rowOf(7, { sku: "ab1" }),
      rowOf(8, { sku: "pen 1b" }),
      rowOf(9, { sku: "T-1-12" }),
      rowOf(10, { sku: "T-11-2" }),
    ]);
    expect(skuErrors(file)).toEqual([
      [2, expect.stringContaining("“00123”")],
      [3, expect.stringContaining("“PEN-1 B”")],
      [5, expect.stringContaining("Line 4 has “0042”")],
      [9, expect.stringContaining("Line 8 has “AB-1”")],
      [10, expect.stringContaining("Line 3 has “PEN–1 B”")],
    ]);
  });

  test("in a row with a Version is an error, because it names a listing that is there already", async () => {
    await importAll([rowOf(0)]);
    const exported = await (await visit("/myshop/import/listings.csv", { as: sellerId })).text();
    const sent = (text: string) => checkFile(new TextEncoder().encode(text));
    const made = await sent(exported.replace("BOOK-0", "Mar-12"));
    expect(skuErrors(made)).toEqual([[2, expect.stringContaining("apostrophe")]]);
    const other = await sent(exported.replace("BOOK-0", "BOOK-00"));
    expect(skuErrors(other)).toEqual([[2, expect.stringContaining("Version")]]);
    const { counts } = await sent(exported.replace(/"v\.[^"]*"/, '""').replace("BOOK-0", "BOOK-00"));
    expect(counts).toMatchObject({ created: 1, bad: 0 });
  });

  test("cut in two by a comma is left out, and the file with the errors makes no listing of it either", async () => {
    const cut = csvOf([rowOf(0, { price: "12,500" }), rowOf(1)]).replace(`"'12,500"`, "12,500");
    const { bad, badFile } = await checkFile(new TextEncoder().encode(cut));
    expect(bad).toMatchObject([{ line: 2, errors: { row: /more cells/ } }]);
    expect((await checkFile(new TextEncoder().encode(badFile))).counts).toMatchObject({ created: 0, bad: 1 });
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
    const file = await check(rowsOf(3, () => ({ stock: "50", price: "95" })));
    await reserve("BOOK-1", { stock: 38 });
    const { counts, bad } = await importFile(file);
    expect(counts).toMatchObject({ updated: 2, bad: 1 });
    expect(await listing("BOOK-1")).toMatchObject({ stock: 38, price: 101 });
    expect(bad).toMatchObject([{ line: 3, errors: { stock: /It is “38” now/ } }]);
  });

  test("that was sold of what another upload of the file listed isn't brought back", async () => {
    const [first, second] = [await check(rowsOf(2)), await check(rowsOf(2))];
    await importFile(first);
    await reserve("BOOK-1", { stock: 38 });
    const { counts, bad } = await importFile(second);
    expect(counts).toEqual({ created: 0, updated: 0, unchanged: 1, bad: 1 });
    expect(bad).toMatchObject([{ line: 3, errors: { stock: /You have 38 now/ } }]);
  });

  test("that the row leaves as it is follows the sales", async () => {
    await importAll(rowsOf(1));
    const file = await check(rowsOf(1, () => ({ price: "95" })));
    await reserve("BOOK-0", { stock: 38 });
    await importFile(file);
    expect(await listing("BOOK-0")).toMatchObject({ stock: 38, price: 95 });
  });

  test("below what is being paid for fails that row, when the file is checked and when it is imported", async () => {
    await importAll(rowsOf(2));
    await reserve("BOOK-0", { reserved: 5 });
    const file = await check(rowsOf(2, () => ({ stock: "3" })));
    expect(file.bad).toMatchObject([{ line: 2, errors: { stock: /at least 5/ } }]);
    await reserve("BOOK-1", { reserved: 4 });
    expect((await importFile(file)).counts).toMatchObject({ updated: 0, bad: 2 });
    expect(await listing("BOOK-1")).toMatchObject({ stock: 40, reserved: 4 });
  });

  test("of a sold-out listing makes it active again", async () => {
    await importAll([rowOf(0, { stock: "0" })]);
    expect(await listing("BOOK-0")).toMatchObject({ status: "out_of_stock", soldAt: expect.any(Number) });
    await importAll([rowOf(0, { stock: "9" })]);
    expect((await listing("BOOK-0")).status).toBe("active");
  });
});

describe("what happens between the check and the import", () => {
  test("to a listing whose row changed nothing stays", async () => {
    await importAll(rowsOf(2));
    const file = await check(rowsOf(2, (n) => (n === 1 ? { price: "95" } : {})));
    expect(file.counts).toMatchObject({ updated: 1, unchanged: 1 });
    await changeListing((await listing("BOOK-0")).id, { price: 77 });
    expect((await importFile(file)).counts).toMatchObject({ updated: 1, unchanged: 1, bad: 0 });
    expect([(await listing("BOOK-0")).price, (await listing("BOOK-1")).price]).toEqual([77, 95]);
  });

  test("to a listing that another upload of the file made stays", async () => {
    const file = await check(rowsOf(1));
    await importFile(file);
    await changeListing((await listing("BOOK-0")).id, { price: 77 });
    expect((await importFile(file)).bad).toMatchObject([{ line: 2, errors: { sku: /You listed this/ } }]);
    expect((await listing("BOOK-0")).price).toBe(77);
  });

  test("lists nothing anew that its seller deleted", async () => {
    await importAll(rowsOf(1));
    const file = await check(rowsOf(1, () => ({ price: "95" })));
    await deleteListing(servicesAt(), { sellerId, productId: (await listing("BOOK-0")).id });
    expect((await importFile(file)).bad).toMatchObject([{ line: 2, errors: { sku: /You deleted this/ } }]);
    expect(await listingsOf()).toEqual([]);
  });

  test("makes no row good that had an error at the check", async () => {
    await importAll(rowsOf(1));
    const { id } = await listing("BOOK-0");
    await changeListing(id, { reserved: 5 });
    const file = await check(rowsOf(1, () => ({ stock: "3" })));
    await changeListing(id, { reserved: 0 });
    const { bad } = await importFile(file);
    expect(bad).toMatchObject([{ line: 2, errors: { sku: /Send it again/ } }]);
    expect((await listing("BOOK-0")).stock).toBe(40);
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
    await write(db, [
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

describe("an import", () => {
  test("of one file, several times at once, writes each row once", async () => {
    const file = await check(rowsOf(250));
    const all = await Promise.all([importFile(file), importFile(file), importFile(await check(rowsOf(250)))]);
    const created = all.map(({ counts }) => counts.created).toSorted((a, b) => a - b);
    expect(created).toEqual([0, 0, 250]);
    expect(await listingsOf()).toHaveLength(250);
  });

  test.each(["before", "after"])(
    "of a worker that stopped %s its write is completed by the same file",
    async (when) => {
      const file = await check(rowsOf(250));
      const services = servicesAt();
      let batches = 0;
      const $client = {
        prepare: (query: string) => services.db.$client.prepare(query),
        async batch(statements: D1PreparedStatement[]) {
          batches += 1;
          const isWrite = statements.length > 10;
          if (isWrite && when === "before") throw new Error("the worker was stopped");
          const answers = await services.db.$client.batch(statements);
          if (isWrite) throw new Error("the worker was stopped");
          return answers;
        },
      } as unknown as D1Database;
      const interruptedDb = new Proxy(services.db, {
        get: (target, property) => (property === "$client" ? $client : (Reflect.get(target, property) as unknown)),
      });
      await expect(importFile(file, { ...services, db: interruptedDb })).rejects.toThrow("stopped");
      expect(batches).toBeGreaterThan(1);
      expect(await listingsOf()).toHaveLength(when === "before" ? 0 : 250);
      await importAll(rowsOf(250));
      expect(await listingsOf()).toHaveLength(250);
    },
  );

  test("is refused to a seller who is no longer verified", async () => {
    const file = await check(rowsOf(3));
    await setVerification(sellerId, "pending");
    await expect(importFile(file)).rejects.toThrow("verified wholesalers");
    expect(await listingsOf()).toEqual([]);
  });

  test("is refused to a closed account", async () => {
    const file = await check(rowsOf(3));
    await env.DB.prepare("UPDATE credentials SET suspended_at = 1 WHERE id = ?").bind(sellerId).run();
    await expect(importFile(file)).rejects.toThrow("nothing was imported");
    expect(await listingsOf()).toEqual([]);
  });

  test("leaves out the rows of a category that was removed", async () => {
    const id = crypto.randomUUID();
    await db.insert(categories).values({ id, name: id, nameKey: id, status: "approved", createdAt: 1 });
    const file = await check(rowsOf(2, (n) => (n === 1 ? { category: id } : {})));
    await db.delete(categories).where(eq(categories.id, id));
    expect((await importFile(file)).counts).toMatchObject({ created: 1, bad: 1 });
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
    for (const file of ["template.csv", "listings.csv"])
      expect((await visit(`/myshop/import/${file}`, { as: id })).status).toBe(302);
  });

  test("a verified wholesaler, from the file to the listings without scripts", async () => {
    const page = await (await visit("/myshop/import", { as: sellerId, form: form() })).text();
    expect(page).toContain("Import 1 row");
    expect(await listingsOf()).toEqual([]);
    const fields = new FormData();
    fields.set("intent", "import");
    for (const [, name = "", value = ""] of page.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g))
      fields.set(name, value.replaceAll("&quot;", '"').replaceAll("&amp;", "&").replaceAll("\n", "\r\n"));
    expect(await (await visit("/myshop/import", { as: sellerId, form: fields })).text()).toContain("Import done");
    expect(await listingsOf()).toMatchObject([{ description: "200 pages, ruled\nSoft cover" }]);
  });

  test.each([
    ["a workbook", new File([new Uint8Array([0x50, 0x4b, 3, 4])], "a.xlsx"), 400, "CSV UTF-8"],
    ["nothing", new File([], ""), 400, "Choose a CSV file first"],
    ["an empty file", new File([], "a.csv"), 400, "This file is empty"],
    ["too much", new File(["x".repeat(1_200_000)], "a.csv"), 400, "larger than 1 MB"],
    ["far too much", new File(["x".repeat(2_000_000)], "a.csv"), 413, "larger than 1 MB"],
    ["what is too much for a statement", new File(["\\".repeat(900_000)], "a.csv"), 400, "larger than 1 MB"],
    ["too many rows", new File([csvOf(rowsOf(501))], "a.csv"), 400, "We import at most 500 at a time"],
  ])("a file that can't be read changes nothing and says why: %s", async (_, file, status, text) => {
    const fields = new FormData();
    fields.set("intent", "check");
    fields.set("file", file);
    const answer = await visit("/myshop/import", { as: sellerId, form: fields });
    expect(answer.status).toBe(status);
    expect(await answer.text()).toContain(text);
  });
});

test("500 rows are one batch, whatever their length, and 2,000 new ones a day's", async () => {
  const { meter, ...metered } = meteredServices();
  // As long as a file of 500 rows may be.
  const rows = rowsOf(500, () => ({ description: "200 pages, ruled. ".repeat(95) }));
  const file = await checkFile(fileOf(rows), sellerId, metered);
  const created = await measured(meter, () => importFile(file, metered));
  expect(created.result.counts).toMatchObject({ created: 500 });
  expect(created.trips).toBe(2);
  // Most are the words of such a long description, which the index takes anew with each change.
  expect(created.rows / 500).toBeLessThan(700);

  const dearer = await check(rows.map((row) => ({ ...row, price: `9${row.price}` })));
  const updated = await measured(meter, () => importFile(dearer, metered));
  expect(updated.result.counts).toMatchObject({ updated: 500 });
  expect(updated.rows / 500).toBeLessThan(700);

  const more = (first: number) => rowsOf(500).map((row, n) => ({ ...row, sku: `MORE-${first + n}` }));
  for (const first of [0, 500, 1_000]) await importAll(more(first));
  await expect(check([rowOf(9_999)])).rejects.toThrow("2,000 new listings a day");
  expect((await check(rows)).counts).toMatchObject({ updated: 500 });
  expect((await checkFile(fileOf([rowOf(9_999)]), sellerId, servicesAt(DAY_MS + 1_000))).counts.created).toBe(1);
});

test("rows with a prohibited word are imported and held, the result says so, and the seller gets one email", async () => {
  const rows = rowsOf(5, (n) => (n === 2 || n === 4 ? { description: `Comes with a pistol ${n}` } : {}));
  expect(await importAll(rows)).toMatchObject({ created: 5, bad: 0 });
  const held = (await listingsOf()).filter(({ heldFor }) => heldFor !== null);
  expect(held.map(({ heldFor, suspendedAt }) => [heldFor, suspendedAt !== null])).toEqual([
    ["pistol", true],
    ["pistol", true],
  ]);
  const cases = () => db.$count(moderationCases, eq(moderationCases.reportedId, sellerId));
  expect(await cases()).toBe(2);
  expect(await openImportPage(servicesAt(), sellerId)).toMatchObject({ held: 2 });
  const mails = await env.DB.prepare(
    "SELECT payload ->> 'to' AS receiver FROM outbox WHERE payload ->> 'template' = 'import_held'",
  ).all();
  expect(mails.results).toHaveLength(1);

  // An update holds what is published, and leaves alone what is held.
  const again = rowsOf(5, (n) => ({ description: n === 2 ? "Just a book" : n === 3 ? "Bhang" : "Ruled" }));
  expect(await importAll(again)).toMatchObject({ updated: 5 });
  const after = await listingsOf();
  expect(after.map(({ heldFor }) => heldFor).toSorted()).toEqual(["bhang", null, null, "pistol", "pistol"]);
  expect(await cases()).toBe(3);
});

test("a row that would hold a listing fails while somebody is buying it", async () => {
  expect(await importAll(rowsOf(2))).toMatchObject({ created: 2 });
  const [bought] = await listingsOf();
  await env.DB.prepare("UPDATE products SET reserved = 1 WHERE id = ?").bind(bought?.id).run();
  const { counts, bad } = await importFile(await check(rowsOf(2, () => ({ description: "With a pistol" }))));
  expect(counts).toMatchObject({ updated: 1, bad: 1 });
  expect(bad).toMatchObject([
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
  const send = (text: string) => checkFile(new TextEncoder().encode(text));

  test("after the export keeps that change, with what the file changes", async () => {
    await importAll([rowOf(1)]);
    const file = await exported();
    await change({ price: 150, stock: 39 });
    expect((await send(file)).counts).toMatchObject({ unchanged: 1 });
    const changed = await send(file.replace("200 pages", "300 pages"));
    expect((await importFile(changed)).counts).toMatchObject({ updated: 1, bad: 0 });
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
    const asked = await send(file.replace(/(?<=[,"])101(?=[,"])/, "140").replace(/(?<=[,"])40(?=[,"])/, "50"));
    expect(asked.counts).toMatchObject({ bad: 1 });
    expect(asked.bad[0]?.errors).toEqual({
      price: expect.stringContaining("It is “150” now."),
      stock: expect.stringContaining("It is “39” now."),
    });
    expect((await importFile(await send(asked.badFile))).counts).toMatchObject({ updated: 1, bad: 0 });
    expect(await listing("BOOK-1")).toMatchObject({ price: 140, stock: 50 });
  });

  test("between the check and the import keeps that change, or fails the row", async () => {
    await importAll([rowOf(1)]);
    const first = await check([rowOf(1, { description: "300 pages" })]);
    await change({ price: 150 });
    expect((await importFile(first)).counts).toMatchObject({ updated: 1, bad: 0 });
    expect(await listing("BOOK-1")).toMatchObject({ price: 150, description: "300 pages" });

    const second = await check([rowOf(1, { price: "140", description: "400 pages" })]);
    await change({ price: 160 });
    const { counts, bad, badFile } = await importFile(second);
    expect(counts).toMatchObject({ updated: 0, bad: 1 });
    expect(await listing("BOOK-1")).toMatchObject({ price: 160, description: "300 pages" });
    expect(bad[0]?.errors.price).toContain("It is “160” now.");
    expect((await importFile(await send(badFile))).counts).toMatchObject({ updated: 1 });
    expect(await listing("BOOK-1")).toMatchObject({ price: 140, description: "400 pages" });
  });
});
