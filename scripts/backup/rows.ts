/**
 * Rows as lines of JSON, out of a database and into one. Texts of people are only ever values: they stand in no
 * statement.
 */
import { CopyFault } from "./copy-fault.ts";
import { type CopiedTable, quoted, type RowDatabase } from "./tables.ts";

/**
 * A value of a row in JSON. Whole numbers up to 2^53 are numbers, and texts are strings; other kinds say what they are,
 * so that 5, 5.0 and "5" come back as what they were. Bytes are in base64, and so are texts that aren't UTF-8: half of
 * an emoji, which D1 stores and shows as another letter.
 */
type Value = null | string | number | { integer: string } | { real: number } | { bytes: string } | { text: string };

/** A row: its number, and a value for each column. */
type Row = [key: Value, ...values: Value[]];

/** One page, at most so many rows. */
const PAGE_ROWS = 2_000;

/** A page ends with the row that reaches so many bytes. A row has at most 2 MB. */
const PAGE_BYTES = 1_000_000;

/** So many tables begin in one round trip, at one moment. */
const TABLES_AT_ONCE = 16;

/** A batch has at most so many statements. */
const BATCH_STATEMENTS = 100;

const FIRST = "-9223372036854775808";

/** A row as a page has it: `#key`, the first letters of its types, and how many bytes its texts have where they are. */
type PageRow = Record<string, unknown> & { "#key": string; "#types": string; "#bytes": number };

/** The rows of all tables as lines, in the order of `tables`, page by page. */
export async function* readLines(
  database: RowDatabase,
  tables: CopiedTable[],
): AsyncGenerator<{ table: CopiedTable; lines: string[] }> {
  for (let at = 0; at < tables.length; at += TABLES_AT_ONCE) {
    const group = tables.slice(at, at + TABLES_AT_ONCE);
    const begins = await repeatedly(() =>
      database.batch<PageRow>(group.map((table) => pageAfter(database, table, FIRST))),
    );
    for (const [place, table] of group.entries()) {
      let rows = begins[place]?.results ?? [];
      for (;;) {
        const lines: string[] = [];
        for (const row of rows)
          lines.push(JSON.stringify(toRow(table, row) ?? (await readExactly(database, table, row))));
        yield { table, lines };
        const last = rows.at(-1);
        if (last === undefined || isLast(rows)) break;
        const next = await repeatedly(() => database.batch<PageRow>([pageAfter(database, table, last["#key"])]));
        rows = next[0]?.results ?? [];
      }
    }
  }
}

function isLast(rows: PageRow[]): boolean {
  return rows.length < PAGE_ROWS && rows.reduce((sum, row) => sum + row["#bytes"], 0) < PAGE_BYTES;
}

/** The next page. Its end is found by the lengths alone, so that no more is read than it has. */
function pageAfter(database: RowDatabase, { name, columns }: CopiedTable, key: string): D1PreparedStatement {
  const bytes = bytesOf(columns);
  const after = `FROM ${quoted(name)} WHERE rowid > CAST(?1 AS INTEGER)`;
  return database
    .prepare(
      `SELECT ${selected(columns, "")} ${after} AND rowid <= (
        SELECT max(key) FROM (SELECT key, sum(size) OVER (ORDER BY key) - size AS before
          FROM (SELECT rowid AS key, ${bytes} AS size ${after} ORDER BY rowid LIMIT ${PAGE_ROWS}))
        WHERE before < ${PAGE_BYTES}) ORDER BY rowid`,
    )
    .bind(key);
}

/** Whole numbers are read as their digits, because one may be too long for JSON. `texts`: how texts are read. */
function selected(columns: string[], texts: "" | "as bytes"): string {
  const types = columns.map((column) => `substr(typeof(${quoted(column)}), 1, 1)`).join(" || ");
  const values = columns.map(quoted).map((column) => {
    const other = texts === "" ? column : `iif(typeof(${column}) = 'text', CAST(${column} AS BLOB), ${column})`;
    return `iif(typeof(${column}) = 'integer', CAST(${column} AS TEXT), ${other}) AS ${column}`;
  });
  return `CAST(rowid AS TEXT) AS "#key", ${types} AS "#types", ${bytesOf(columns)} AS "#bytes", ${values.join(", ")}`;
}

/** How many bytes the texts and bytes of a row have. */
function bytesOf(columns: string[]): string {
  return columns
    .map(quoted)
    .map((column) => `iif(typeof(${column}) IN ('text', 'blob'), octet_length(${column}), 0)`)
    .join(" + ");
}

/** A row whose texts didn't arrive as they are stored. @throws CopyFault if it has another value that JSON can't say */
async function readExactly(database: RowDatabase, table: CopiedTable, { "#key": key }: PageRow): Promise<Row> {
  const query = `SELECT ${selected(table.columns, "as bytes")} FROM ${quoted(table.name)}
    WHERE rowid = CAST(? AS INTEGER)`;
  const found = await repeatedly(() => database.batch<PageRow>([database.prepare(query).bind(key)]));
  const exact = found[0]?.results[0];
  const row = exact && toRow(table, exact);
  if (!row)
    throw new CopyFault(`Row ${key} of ${table.name} was deleted just now, or has a value that no copy can have.`);
  return row;
}

/** @returns undefined where a value didn't arrive as it is stored */
function toRow({ columns }: CopiedTable, row: PageRow): Row | undefined {
  const values = columns.map((column, at) => toValue(row["#types"][at], row[column]));
  const bytes = values.reduce<number>((sum, value) => sum + lengthOf(value), 0);
  if (bytes !== row["#bytes"] || values.includes(undefined)) return undefined;
  return [toInteger(row["#key"]), ...(values as Value[])]; // none is undefined
}

/** @returns undefined for what JSON has no way to say */
function toValue(type: string | undefined, value: unknown): Value | undefined {
  if (type === "n") return null;
  // It may stand for bytes that aren't UTF-8.
  if (type === "t" && typeof value === "string") return value.includes("\ufffd") ? undefined : value;
  if (type === "i" && typeof value === "string") return toInteger(value);
  if (type === "r" && typeof value === "number") return { real: value };
  if (type === "b" && Array.isArray(value)) return { bytes: Buffer.from(value).toString("base64") };
  if (type === "t" && Array.isArray(value)) return toText(Buffer.from(value));
  return undefined;
}

function toText(bytes: Buffer): Value {
  const text = bytes.toString();
  return Buffer.from(text).equals(bytes) ? text : { text: bytes.toString("base64") };
}

function toInteger(digits: string): Value {
  const number = Number(digits);
  return Number.isSafeInteger(number) ? number : { integer: digits };
}

/** How many bytes a text or bytes have where they are stored. */
function lengthOf(value: Value | undefined): number {
  if (typeof value === "string") return Buffer.byteLength(value);
  if (typeof value !== "object" || value === null) return 0;
  if ("bytes" in value) return Buffer.byteLength(value.bytes, "base64");
  return "text" in value ? Buffer.byteLength(value.text, "base64") : 0;
}

/** Writes the rows of these lines. Those that are there already stay as they are, so it may be done again. */
export async function insertLines(
  database: RowDatabase,
  table: CopiedTable,
  lines: AsyncIterable<string>,
): Promise<void> {
  const columns = table.isNumbered ? table.columns : ["rowid", ...table.columns];
  const into = `INSERT OR IGNORE INTO ${quoted(table.name)} (${columns.map(quoted).join(", ")})`;
  const places = columns.map((column, at) =>
    table.later.includes(column) ? "NULL" : `value ->> ${table.isNumbered ? at + 1 : at}`,
  );
  const insertAll = (some: string[]) =>
    database.prepare(`${into} SELECT ${places.join(", ")} FROM json_each(?)`).bind(`[${some.join(",")}]`);
  const insertOne = ([key, ...values]: Row) => {
    const now = values.map((value, at) => (table.later.includes(table.columns[at] ?? "") ? null : value));
    const row = table.isNumbered ? now : [key, ...now];
    return database.prepare(`${into} VALUES (${row.map(placeFor).join(", ")})`).bind(...row.map(toBound));
  };
  async function* statements() {
    let [open, bytes]: [string[], number] = [[], 0];
    for await (const line of lines) {
      const length = Buffer.byteLength(line) + 1;
      const row = JSON.parse(line) as Row; // as readLines wrote it
      if (length > PAGE_BYTES || !isPlain(line, row)) {
        yield { statement: insertOne(row), bytes: length };
        continue;
      }
      if (bytes + length > PAGE_BYTES) {
        yield { statement: insertAll(open), bytes };
        [open, bytes] = [[], 0];
      }
      open.push(line);
      bytes += length;
    }
    if (open.length > 0) yield { statement: insertAll(open), bytes };
  }
  await inBatches(database, statements());
}

/** Whether SQLite reads the line itself as these values: texts and numbers, and no text with the character 0. */
function isPlain(line: string, row: Row): boolean {
  return !line.includes("\\u0000") && row.every((value) => value === null || typeof value !== "object");
}

/** Fills in the columns that refer to rows which came later. */
export async function fillLater(
  database: RowDatabase,
  table: CopiedTable,
  lines: AsyncIterable<string>,
): Promise<void> {
  async function* statements() {
    for await (const line of lines) {
      const [key, ...values] = JSON.parse(line) as Row; // as readLines wrote it
      const filled = table.later.flatMap((column) => {
        const value = values[table.columns.indexOf(column)] ?? null;
        return value === null ? [] : [{ set: `${quoted(column)} = ${placeFor(value)}`, value }];
      });
      if (filled.length === 0) continue;
      const sets = filled.map(({ set }) => set).join(", ");
      const statement = database
        .prepare(`UPDATE ${quoted(table.name)} SET ${sets} WHERE rowid = CAST(? AS INTEGER)`)
        .bind(...filled.map(({ value }) => toBound(value)), toBound(key));
      yield { statement, bytes: line.length };
    }
  }
  await inBatches(database, statements());
}

async function inBatches(
  database: RowDatabase,
  all: AsyncIterable<{ statement: D1PreparedStatement; bytes: number }>,
): Promise<void> {
  let open: { statements: D1PreparedStatement[]; bytes: number } = { statements: [], bytes: 0 };
  const write = async () => {
    const { statements } = open;
    open = { statements: [], bytes: 0 };
    if (statements.length > 0) await repeatedly(() => database.batch(statements));
  };
  for await (const { statement, bytes } of all) {
    open.statements.push(statement);
    open.bytes += bytes;
    if (open.statements.length === BATCH_STATEMENTS || open.bytes >= PAGE_BYTES) await write();
  }
  await write();
}

/** Where a value is bound. D1 binds every number as REAL, so a whole number goes in as its digits. */
function placeFor(value: Value): string {
  if (typeof value === "number") return "CAST(? AS INTEGER)";
  if (typeof value !== "object" || value === null) return "?";
  if ("integer" in value) return "CAST(? AS INTEGER)";
  return "text" in value ? "CAST(? AS TEXT)" : "?";
}

function toBound(value: Value): string | number | ArrayBuffer | null {
  if (value === null || typeof value === "string") return value;
  if (typeof value === "number") return String(value);
  if ("integer" in value) return value.integer;
  if ("real" in value) return value.real;
  return Uint8Array.from(Buffer.from("text" in value ? value.text : value.bytes, "base64")).buffer;
}

/** The pauses between tries, ms. */
const PAUSES = [1_000, 3_000, 9_000];

/** Does again what the network or D1 lost. What SQLite refuses, it refuses each time. `work` must be safe to repeat. */
async function repeatedly<T>(work: () => Promise<T>): Promise<T> {
  for (const pause of PAUSES) {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Error && /SQLITE_|constraint/i.test(error.message)) throw error;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
  return work();
}
