/**
 * Files of listings: what spreadsheets save is read, errors name their line, and what was exported is imported
 * unchanged.
 */
import fc from "fast-check";
import Papa from "papaparse";
import { describe, expect, test } from "vitest";
import {
  type CellErrors,
  type Cells,
  COLUMN_HEADERS,
  COLUMNS,
  FILE_MAX,
} from "#app/catalogue/import/listing-columns.ts";
import {
  cellsOf,
  type CurrentListing,
  isSameListing,
  isSameRow,
  readRow,
  type RowContext,
  writeBadRows,
  writeListings,
  writeTemplate,
} from "#app/catalogue/import/listing-file.ts";
import { readChosen } from "#app/catalogue/facts/listing-facts.ts";
import { KEPT_TABLE } from "#app/catalogue/types/type-table.ts";
import { visibleText } from "#app/platform/visible-text.ts";
import { readListingFile } from "#app/catalogue/import/read-listing-file.server.ts";
import { suggestNames } from "#app/catalogue/import/similar-names.ts";
import { cellValue, mayChange, writeCsv } from "#app/platform/csv.ts";

const HEADER: string[] = Object.values(COLUMN_HEADERS);

const CELLS: Cells = {
  sku: "BOOK-1",
  name: "Exercise book",
  description: "200 pages, ruled",
  price: "1,450",
  originalPrice: "",
  category: "Stationery",
  condition: "New",
  stock: "40",
  minQuantity: "",
  steps: "",
  takesOffers: "",
  lowestOffer: "",
};

const CONTEXT: RowContext = {
  categoryId: (name) => (name.toLowerCase() === "stationery" ? "stationery" : null),
  ownCategory: null,
  similarCategories: suggestNames(["Stationery", "Electronics", "Study Materials"]),
  readFacts: ({ facts }) => readChosen(facts, "phone", KEPT_TABLE),
  ownFacts: {},
};

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function fileOf(rows: string[][], head = HEADER): Uint8Array {
  return bytesOf(writeCsv([[...head], ...rows]));
}

function row(change: Partial<Cells> = {}): string[] {
  return COLUMNS.map((column) => ({ ...CELLS, ...change })[column]);
}

function rowsIn(bytes: Uint8Array) {
  const reading = readListingFile(bytes);
  if (!reading.ok) throw new Error(reading.error);
  return reading.rows;
}

function errorOf(bytes: Uint8Array): string {
  const reading = readListingFile(bytes);
  return reading.ok ? "" : reading.error;
}

function errorsOf(change: Partial<Cells>): CellErrors {
  const reading = readRow({ ...CELLS, ...change } as Cells, CONTEXT);
  return reading.ok ? {} : reading.errors;
}

describe("a file that a spreadsheet saved", () => {
  const description = "Ruled\nsoft cover; 200 pages";
  const saved = (delimiter: string, end: string) =>
    [
      HEADER.join(delimiter),
      row({ description: `"${description.replaceAll("\n", end)}"`, price: `"1,450"` }).join(delimiter),
    ].join(end) + end;

  test.each([
    ["with commas", bytesOf(saved(",", "\n"))],
    ["with semicolons and Windows' line ends", bytesOf(saved(";", "\r\n"))],
    ["with tabs and old line ends", bytesOf(saved("\t", "\r"))],
    ["with a byte order mark", bytesOf(`\uFEFF${saved(",", "\r\n")}`)],
    ["with the line that names the delimiter", bytesOf(`sep=;\r\n${saved(";", "\r\n")}`)],
    ["with empty rows before and after", bytesOf(`\n${saved(",", "\n")},,,,\n\n`)],
  ])("is read %s", (_, bytes) => {
    const [first, ...others] = rowsIn(bytes);
    expect(others).toEqual([]);
    expect(first?.cells).toEqual({ ...CELLS, description });
  });

  test("is read in UTF-16 and in Windows-1252", () => {
    const text = saved(",", "\r\n").replace("Exercise book", "Cahier à carreaux");
    const utf16 = new Uint8Array([
      0xff,
      0xfe,
      ...[...text].flatMap((letter) => [letter.charCodeAt(0) & 255, letter.charCodeAt(0) >> 8]),
    ]);
    const windows = Uint8Array.from([...text].map((letter) => letter.charCodeAt(0)));
    for (const bytes of [utf16, windows]) expect(rowsIn(bytes)[0]?.cells.name).toBe("Cahier à carreaux");
  });

  test("may have its columns in any order and case, with others between them", () => {
    const head = [...HEADER.map((name) => name.toUpperCase().replace(" ", "_")), "Notes"].toReversed();
    expect(rowsIn(fileOf([[...row(), "from the shelf"].toReversed()], head))[0]?.cells).toEqual(CELLS);
  });

  test("numbers its lines as the spreadsheet does", () => {
    const rows = rowsIn(fileOf([row({ description: "two\nlines" }), row().map(() => ""), row({ sku: "B" })]));
    expect(rows.map(({ line, cells }) => [line, cells.sku])).toEqual([
      [2, "BOOK-1"],
      [4, "B"],
    ]);
  });
});

test.each([
  ["empty", bytesOf("\uFEFF  \r\n"), /empty/],
  ["only a header", fileOf([]), /no rows/],
  ["no header", bytesOf("a,b\n1,2"), /can't find the header/],
  ["a column missing", fileOf([row()], HEADER.with(3, "Cost")), /missing: Price\./],
  ["a column twice", fileOf([[...row(), "9"]], [...HEADER, "price"]), /twice: Price\./],
  ["a workbook", new Uint8Array([0x50, 0x4b, 3, 4, 0, 0]), /CSV UTF-8/],
  ["a picture", new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 13]), /isn't a CSV file/],
  ["an open quotation mark", bytesOf(`${HEADER.join(",")}\n${row().join(",")}\nB,"oops,1\nC,2`), /line 3/],
  ["too many rows", fileOf(Array.from({ length: FILE_MAX.rows + 1 }, (_, n) => row({ sku: `S${n}` }))), /501 rows/],
  ["too many bytes", new Uint8Array(FILE_MAX.bytes + 1).fill(65), /larger than 1 MB/],
  ["an endless row", fileOf([row({ description: "x".repeat(30_000) })]), /line 2/],
])("a file is refused and told why: %s", (_, bytes, error) => {
  expect(errorOf(bytes)).toMatch(error);
});

describe("a row", () => {
  test("becomes a listing", () => {
    const change = {
      condition: "used - like new",
      stock: "",
      minQuantity: "6",
      steps: "12:85; 48:80",
      price: "KES 95",
      takesOffers: "Yes",
      lowestOffer: "90",
    };
    expect(readRow({ ...CELLS, ...change }, CONTEXT)).toEqual({
      ok: true,
      listing: {
        chosenType: null,
        facts: {},
        factsChosen: {},
        sku: "BOOK-1",
        name: "Exercise book",
        description: "200 pages, ruled",
        price: 95,
        originalPrice: null,
        category: "stationery",
        condition: "like_new",
        stock: null,
        terms: {
          minQuantity: 6,
          steps: [
            { fromQuantity: 12, price: 85 },
            { fromQuantity: 48, price: 80 },
          ],
        },
        takesOffers: true,
        lowestOffer: 90,
      },
    });
  });

  test.each<[Partial<Cells>, CellErrors]>([
    [{ sku: "" }, { sku: expect.stringContaining("your own code") }],
    [{ sku: "6.16111E+12" }, { sku: expect.stringContaining("Format the column as text") }],
    [{ name: "" }, { name: "Product name is required" }],
    [{ name: "Rice, call 0712345678" }, { name: expect.stringContaining("phone and till numbers") }],
    [{ price: "cheap" }, { price: "Price must be a whole number of shillings" }],
    [{ price: "5" }, { price: expect.stringContaining("KES 10") }],
    [{ originalPrice: "100" }, { originalPrice: "The original price must be higher than the price" }],
    [{ category: "Stationary" }, { category: "No category is called “Stationary”. Did you mean Stationery?" }],
    [{ category: "" }, { category: "Category is required" }],
    [{ condition: "broken" }, { condition: "Use one of: New, Used - Like New, Used - Good, Used - Fair" }],
    [{ condition: "" }, { condition: "Condition is required" }],
    [{ stock: "-1" }, { stock: expect.any(String) }],
    [{ stock: "10000" }, { stock: expect.any(String) }],
    [{ minQuantity: "0" }, { minQuantity: expect.any(String) }],
    [{ steps: "12=85" }, { steps: expect.stringContaining("pieces:price") }],
    [{ steps: "12:1,500" }, { steps: expect.stringContaining("less than") }],
    [{ steps: "2:90;3:80;4:70;5:60;6:50;7:40" }, { steps: "Enter at most 5 price steps" }],
    [{ takesOffers: "maybe" }, { takesOffers: "Enter yes or no" }],
    [{ lowestOffer: "1,000" }, { lowestOffer: expect.stringContaining("Takes offers") }],
    [{ takesOffers: "yes", lowestOffer: "1,450" }, { lowestOffer: "Enter less than the price" }],
    [
      { name: "", price: "", stock: "x" },
      { name: expect.any(String), price: "Price is required", stock: expect.any(String) },
    ],
  ])("with %o is told what to correct in each column", (change, errors) => {
    expect(errorsOf(change)).toEqual(errors);
  });

  test("may say that something is sold out", () => {
    expect(readRow({ ...CELLS, stock: "0" }, CONTEXT)).toMatchObject({ ok: true, listing: { stock: 0 } });
  });
});

test("names of categories are found by their spelling", () => {
  const names = ["Stationery", "Electronics", "Study Materials", "Books", "Textbooks"];
  expect(suggestNames(names)("electronic")).toEqual(["Electronics"]);
  expect(suggestNames(names)("book")).toEqual(["Books", "Textbooks"]);
  expect(suggestNames(names)("Furniture")).toEqual([]);
});

test("a file of unknown categories is checked in little time, however many and long they are", () => {
  const suggest = suggestNames(Array.from({ length: 500 }, (_, n) => `Category ${n}`));
  const started = Date.now();
  for (let n = 0; n < 2_000; n += 1) suggest(`${n} ${"x".repeat(19_000)}`);
  expect(Date.now() - started).toBeLessThan(4_000);
  // The first ones still get their answer.
  const stationery = suggestNames(["Stationery"]);
  expect(stationery("Stationary")).toEqual(["Stationery"]);
  for (let n = 0; n < 30; n += 1) stationery(`unknown ${n}`);
  expect(stationery("Stationary")).toEqual(["Stationery"]);
});

test("the template has rows that can be imported as they are", () => {
  const rows = rowsIn(bytesOf(`\uFEFF${writeTemplate()}`));
  expect(rows).toHaveLength(2);
  for (const { cells } of rows)
    expect(readRow(cells, { ...CONTEXT, categoryId: () => "any" })).toMatchObject({ ok: true });
});

test("rows with errors can be sent again as they were downloaded", () => {
  const cells = { ...CELLS, price: "=1+1" };
  const file = writeBadRows([{ cells, errors: { price: "Price must be a whole number of shillings" } }]);
  expect(file).toContain("Price: Price must be a whole number of shillings");
  expect(rowsIn(bytesOf(file))).toEqual([{ line: 2, cells }]);
});

const anyText = fc.string({ unit: fc.constantFrom(..."=+-@'\"\n\r\t;,: aé✓１＝") });
/** Codes that a spreadsheet would save as another number. */
const anyCode = fc.tuple(fc.constantFrom("", "'", "0", "616"), fc.nat(9_999_999_999)).map(([head, n]) => `${head}${n}`);
const anyCell = fc.oneof(anyText, anyCode, fc.string({ unit: "grapheme", maxLength: 40 }));

test("a spreadsheet runs no cell, and every cell reads as it was", () => {
  fc.assert(
    fc.property(anyCell, (text) => {
      const written = writeCsv([[text]], mayChange);
      expect(written.slice(1)).not.toMatch(/^(?:[=+\-@\t\r＝]|0\d+"$|\d{12,}"$)/);
      expect(cellValue(written.slice(1, -1).replaceAll('""', '"'))).toBe(text);
    }),
  );
});

/** What needs no quotation marks. */
const PLAIN = { price: "1450", description: "ruled" };

function plainRow(change: Partial<Cells> = {}): string[] {
  return row({ ...PLAIN, ...change });
}

test("a number that a comma has cut in two is an error of its row, wherever it stands", () => {
  const texts = ["12,500", "1,500.50", "2,000"];
  for (const [at, name] of HEADER.entries())
    for (const text of texts)
      for (const [delimiter, written] of [
        [",", text],
        [";", text.replace(",", ";")],
      ] as const)
        for (const ignored of [[], ["Notes"]]) {
          const cells = [
            ...row({ price: "1450" }).map((cell, n) => (n === at ? written : `"${cell}"`)),
            ...ignored.map(() => ""),
          ];
          const file = bytesOf([[...HEADER, ...ignored].join(delimiter), cells.join(delimiter)].join("\n"));
          const [only] = rowsIn(file);
          const isTold = only?.unclear !== undefined || !readRow(only?.cells ?? CELLS, CONTEXT).ok;
          expect([name, text, delimiter, ignored, isTold]).toEqual([name, text, delimiter, ignored, true]);
        }
});

test("empty cells beyond the header change nothing", () => {
  expect(rowsIn(bytesOf(`${HEADER.join(",")}\n${plainRow().join(",")},,\n`))).toEqual([
    { line: 2, cells: { ...CELLS, ...PLAIN } },
  ]);
});

test.each(["13:25", "12:85", "12:85:00", "6:95 PM"])(
  "price steps that may have been changed to a time are asked about: %s",
  (steps) => {
    const fileWith = (text: string) => bytesOf(`${HEADER.join(",")}\n${plainRow({ steps: text }).join(",")}`);
    const [only] = rowsIn(fileWith(steps));
    expect(only?.unclear?.steps).toContain("semicolon");
    // The file with the errors asks again, and what is guarded or written with a semicolon is read.
    const again = writeBadRows([{ cells: only?.cells ?? CELLS, errors: only?.unclear ?? {} }]);
    expect(rowsIn(bytesOf(again))[0]?.unclear).toEqual(only?.unclear);
    for (const clear of [`${steps};`, `'${steps}`]) expect(rowsIn(fileWith(clear))[0]?.unclear).toBeUndefined();
  },
);

const DATES = ["01/02/26", "02.01.26", "26-01-02", "01/02/2026 00:00", "02 January 2026", "February 1, 2026"];

test.each(["12-Mar", "Mar-12", "3.1", "3,1", "10:30", "2026-03-12", "12/3/2026", ...DATES])(
  "a SKU that a spreadsheet may have made is asked about: %s",
  (sku) => {
    const fileWith = (text: string) => bytesOf(`${HEADER.join(";")}\n${plainRow({ sku: text }).join(";")}`);
    expect(rowsIn(fileWith(sku))[0]?.unclear?.sku).toContain("apostrophe");
    expect(rowsIn(fileWith(`'${sku}`))[0]).toEqual({ line: 2, cells: { ...CELLS, ...PLAIN, sku } });
  },
);

test.each(["1.00E+05", "1E+05", "1,00E+05", "6.16111E+12", "1E-05"])(
  "a SKU that a spreadsheet has shortened is refused: %s",
  (sku) => {
    const [only] = rowsIn(bytesOf(`${HEADER.join(";")}\n${plainRow({ sku }).join(";")}`));
    expect(only?.unclear?.sku ?? readRow(only?.cells ?? CELLS, CONTEXT)).not.toMatchObject({ ok: true });
  },
);

test.each(["#NAME?", "#REF!", "#VALUE!", "#DIV/0!", "#N/A", "########", "Err:508"])(
  "an error of a spreadsheet is refused in every column: %s",
  (cell) => {
    for (const column of COLUMNS) {
      const [only] = rowsIn(bytesOf(`${HEADER.join(",")}\n${plainRow({ [column]: cell }).join(",")}`));
      expect(only?.unclear?.[column]).toContain("Your spreadsheet shows an error here");
    }
  },
);

test.each(["MAR-12", "10-20-340", "99/99/99", "A#1", "SET-4", "BOOK-1", "007", "fx-991ES", "1-2-3", "6161110000012"])(
  "a SKU is read as it is: %s",
  (sku) => {
    expect(rowsIn(bytesOf(`${HEADER.join(",")}\n${plainRow({ sku }).join(",")}`))).toEqual([
      { line: 2, cells: { ...CELLS, ...PLAIN, sku } },
    ]);
  },
);

/** What a spreadsheet makes of a cell that it opens and saves again, roughly: more than any one of them does. */
function savedBySpreadsheet(cell: string): string {
  const [, hours, minutes] = /^(\d{1,4}):(\d{1,4})$/.exec(cell) ?? [];
  if (hours !== undefined) {
    const all = Number(hours) * 60 + Number(minutes);
    return `${Math.floor(all / 60)}:${String(all % 60).padStart(2, "0")}`;
  }
  if (/^[=+\-@]/.test(cell)) return "#NAME?";
  if (/^(?:true|false)$/i.test(cell)) return cell.toUpperCase();
  if (/^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[- ]?\d{1,2}$/i.test(cell)) return "12-Mar";
  if (/^\d{1,2}[-/]\d{1,2}(?:[-/]\d{2,4})?$/.test(cell)) return "3/12/2026";
  if (/^\d+[.,]\d+$/.test(cell)) return cell.replace(",", ".").replace(/0+$/, "").replace(/\.$/, "");
  if (/^\d+e\d+$/i.test(cell)) return "1E+99";
  if (/^\d{12,}$/.test(cell)) return `${cell[0]}.${cell.slice(1, 6)}E+${cell.length - 1}`;
  if (/^0\d+$/.test(cell)) return String(Number(cell));
  return cell;
}

const amount = fc.nat({ max: 400_000 });
/** Listings hold no characters that nobody sees, because no form takes them. */
const anySeen = anyCell.map(visibleText);

const anyListing: fc.Arbitrary<CurrentListing> = fc.record({
  id: fc.uuid(),
  sku: fc.option(anySeen.filter((text) => text.trim() !== "")),
  name: anySeen,
  description: anySeen,
  price: amount,
  originalPrice: fc.option(amount),
  category: fc.option(fc.constantFrom("stationery", "Old things")),
  categoryName: fc.option(fc.constant("Stationery")),
  condition: fc.constantFrom("new", "like_new", "good", "fair"),
  stock: fc.option(fc.nat({ max: 9_999 })),
  reserved: fc.constant(0),
  minQuantity: fc.integer({ min: 1, max: 999 }),
  steps: fc.array(fc.record({ fromQuantity: fc.integer({ min: 2, max: 9_999 }), price: amount }), { maxLength: 5 }),
  takesOffers: fc.boolean(),
  lowestOffer: fc.option(amount),
  type: fc.constant("book"),
  typeChosen: fc.boolean(),
  factsChosen: fc.record(
    {
      brand: fc.constantFrom("hp", "newbalance", null),
      size: fc.constantFrom("42", "xl"),
      storage: fc.constantFrom("256", "1024"),
      author: anySeen.filter((text) => text.trim() !== ""),
    },
    { requiredKeys: [] },
  ),
});

test("what was exported says the same when it is imported, whatever the listings are", () => {
  fc.assert(
    fc.property(fc.array(anyListing, { minLength: 1, maxLength: 5 }), (listings) => {
      const rows = rowsIn(bytesOf(`\uFEFF${writeListings(listings)}`));
      expect(rows).toHaveLength(listings.length);
      for (const [index, listing] of listings.entries()) {
        const cells = rows[index]?.cells ?? CELLS;
        expect(cells).toEqual(cellsOf(listing));
        expect(isSameRow(cells, listing)).toBe(true);
      }
    }),
  );
});

test.each([",", ";", "\t"])("an export that a spreadsheet opened and saved comes back the same (%j)", (delimiter) => {
  const told = fc.oneof(
    anySeen,
    fc.constantFrom(
      "MAR-12",
      "3.10",
      "1.50",
      "12:85",
      "SEPT2",
      "1/2",
      "1-2",
      "007",
      "1E5",
      "TRUE",
      "true",
      "12:30",
      "6161110000012",
      "=1+1",
    ),
  );
  const text = told.filter((one) => one.trim() !== "");
  const listing = fc
    .tuple(anyListing, text, text)
    .map(([any, sku, name]): CurrentListing => ({ ...any, sku, name, description: name }));
  fc.assert(
    fc.property(fc.array(listing, { minLength: 1, maxLength: 3 }), (listings) => {
      const { data } = Papa.parse<string[]>(writeListings(listings), { newline: "\r\n" });
      const saved = Papa.unparse(
        data.map((cells) => cells.map(savedBySpreadsheet)),
        { delimiter, newline: "\r\n" },
      );
      const rows = rowsIn(bytesOf(`\uFEFF${saved}`));
      expect(rows.map(({ cells, unclear }) => [cells, unclear])).toEqual(
        listings.map((one) => [cellsOf(one), undefined]),
      );
    }),
    { numRuns: 1_000 },
  );
});

test("a listing that the form accepts is read as it is", () => {
  const listing: CurrentListing = {
    id: crypto.randomUUID(),
    sku: "-7",
    name: "@ home lamp",
    description: "=bright\n\n+ warm",
    price: 1_450,
    originalPrice: 1_900,
    category: "stationery",
    categoryName: "Stationery",
    condition: "good",
    stock: null,
    reserved: 0,
    minQuantity: 3,
    steps: [{ fromQuantity: 6, price: 1_300 }],
    takesOffers: true,
    lowestOffer: 1_000,
    type: "phone",
    typeChosen: false,
    factsChosen: { brand: "samsung", storage: "1024", color: null },
  };
  const [first] = rowsIn(bytesOf(writeListings([listing])));
  const reading = readRow(first?.cells ?? CELLS, CONTEXT);
  expect(reading.ok && isSameListing(reading.listing, listing)).toBe(true);
});
