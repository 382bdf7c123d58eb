/**
 * Reads the statement of one of our accounts, as M-Pesa's portal for businesses gives it (docs/m-pesa.md, "M-Pesa's own
 * lists").
 */
import Papa from "papaparse";
import { readCompactTime } from "#app/platform/east-africa-time.ts";
import { readTextFile } from "#app/platform/text-file.ts";
import type { ListedLine } from "./mpesa-list-rules.ts";

/** The largest file, in bytes, and the most lines. */
export const STATEMENT_MAX = { bytes: 2 * 1024 * 1024, lines: 10_000 };

export interface Statement {
  lines: ListedLine[];
  /** The period, ms since 1970: as the file names it, or from the first to the last line. */
  from: number;
  until: number;
  /** Lines about charges, and transfers between our own accounts. */
  ignored: number;
}

export type StatementReading = { ok: true; statement: Statement } | { ok: false; error: string };

const TEXTS = {
  too_large: "This file is larger than 2 MB. Please download a shorter period in the M-Pesa portal.",
  too_many: `This statement has more than ${STATEMENT_MAX.lines.toLocaleString("en")} lines. Please download a shorter period.`,
  no_header:
    "We can't find the row with the names of the columns: Receipt No., Completion Time, Paid In and Withdrawn. Please send the CSV file as the M-Pesa portal gives it.",
  no_lines: "This statement has no transactions.",
} as const;

/** Characters. M-Pesa's longest cell, the details, has some 200. */
const CELL_MAX = 500;

/** Columns by the letters of their names, because their points and spaces vary. */
const COLUMNS = {
  receiptno: "receipt",
  completiontime: "completed",
  details: "details",
  transactionstatus: "status",
  paidin: "paidIn",
  withdrawn: "withdrawn",
  reasontype: "reason",
  otherpartyinfo: "party",
  linkedtransactionid: "linked",
  acno: "account",
} as const;
type Column = (typeof COLUMNS)[keyof typeof COLUMNS];
type Cells = Partial<Record<Column, string>>;

const CHARGE = /\b(charge|fee|tariff)s?\b/i;
/** Between our own accounts at M-Pesa. What goes to a bank isn't among them. */
const OWN_TRANSFER = /\b(working|utility|mmf|merchant|float)\b.*\b(to|transfer|account)\b/i;

/** @returns the completed lines; `error` is a sentence for the admin who sent the file */
export function readStatement(bytes: Uint8Array): StatementReading {
  if (bytes.byteLength > STATEMENT_MAX.bytes) return { ok: false, error: TEXTS.too_large };
  const file = readTextFile(bytes);
  if (!file.ok) return file;
  const text = file.text.replace(/^\uFEFF/, "").replaceAll(/\r\n?/g, "\n");
  const { data, head, columns } = readTable(text);
  if (!["receipt", "completed", "paidIn", "withdrawn"].every((name) => columns.includes(name as Column)))
    return { ok: false, error: TEXTS.no_header };
  const rows = data.slice(head + 1);
  if (rows.filter((row) => row.some((cell) => cell.trim() !== "")).length > STATEMENT_MAX.lines)
    return { ok: false, error: TEXTS.too_many };
  const lines: ListedLine[] = [];
  let ignored = 0;
  for (const [n, row] of rows.entries()) {
    const cells: Cells = {};
    for (const [at, column] of columns.entries()) if (column) cells[column] = (row[at] ?? "").trim().slice(0, CELL_MAX);
    // A last row may hold totals.
    if (!cells.receipt) continue;
    const place = `line ${head + n + 2}, ${cells.receipt}`;
    // Then a comma within an amount has cut it in two, and every cell behind it is another column's.
    if (row.length > columns.length) return { ok: false, error: tooManyCells(place) };
    if (!isCompleted(cells)) continue;
    const kind = kindOf(cells);
    if (CHARGE.test(kind) || OWN_TRANSFER.test(kind)) {
      ignored += 1;
      continue;
    }
    const line = readLine(cells);
    if (!line.ok) return { ok: false, error: unreadable(place, line) };
    lines.push(line.line);
  }
  if (lines.length === 0) return { ok: false, error: TEXTS.no_lines };
  const times = lines.map(({ at }) => at);
  const [from = Math.min(...times), until = Math.max(...times)] = periodOf(data.slice(0, head));
  return { ok: true, statement: { lines, from, until, ignored } };
}

function tooManyCells(place: string): string {
  return `There are more cells in ${place} than columns. ${AS_GIVEN}`;
}

/** A cell that can't be read, or not in one way only. */
interface Unreadable {
  what: "time" | "amount" | "receipt";
  cell: string;
  why: string;
}

function unreadable(place: string, { what, cell, why }: Unreadable): string {
  return `We can't read the ${what} of ${place}: “${cell.slice(0, 40)}” ${why}. ${AS_GIVEN}`;
}

const AS_GIVEN =
  "Please send the file as the M-Pesa portal gives it, because spreadsheets change dates and amounts when they save.";

/** A comma, or what spreadsheets write where the comma is the decimal sign. */
const DELIMITERS = [",", ";", "\t"];

/** The rows by the delimiter that finds the most columns, where the row with their names is, and which they are. */
function readTable(text: string): { data: string[][]; head: number; columns: (Column | null)[] } {
  const tables = DELIMITERS.map((delimiter) => {
    const { data } = Papa.parse<string[]>(text, { delimiter });
    const head = data.findIndex((row) => row.some((cell) => columnOf(cell) === "receipt"));
    const columns = (data[head] ?? []).map(columnOf);
    return { data, head, columns, known: columns.filter((column) => column !== null).length };
  });
  return tables.reduce((best, table) => (table.known > best.known ? table : best));
}

function columnOf(name: string): Column | null {
  const letters = name.toLowerCase().replaceAll(/[^a-z]/g, "");
  return Object.hasOwn(COLUMNS, letters) ? COLUMNS[letters as keyof typeof COLUMNS] : null;
}

/** M-Pesa's words for what it did. Behind the other side's number stand their name and what they typed. */
function kindOf({ reason, details = "" }: Cells): string {
  return reason || (details.split(/[\d+*]/)[0] ?? "");
}

function isCompleted({ status = "Completed" }: Cells): boolean {
  return /^completed$/i.test(status);
}

function readLine(cells: Cells): { ok: true; line: ListedLine } | ({ ok: false } & Unreadable) {
  const { completed = "", paidIn = "", withdrawn = "" } = cells;
  const receipt = (cells.receipt ?? "").toUpperCase();
  if (!RECEIPT.test(receipt)) return { ok: false, what: "receipt", cell: cells.receipt ?? "", why: NOT_KNOWN };
  const at = readTime(completed);
  if (typeof at === "string") return { ok: false, what: "time", cell: completed, why: at };
  const into = readCents(paidIn);
  if (typeof into === "string") return { ok: false, what: "amount", cell: paidIn, why: into };
  const out = readCents(withdrawn);
  if (typeof out === "string") return { ok: false, what: "amount", cell: withdrawn, why: out };
  // M-Pesa writes a minus before what was withdrawn only.
  if (into < 0) return { ok: false, what: "amount", cell: paidIn, why: NOT_KNOWN };
  if (into !== 0 && out !== 0)
    return { ok: false, what: "amount", cell: `${paidIn}” and “${withdrawn}`, why: "can't both be right" };
  const cents = into - Math.abs(out);
  const details = cells.details ?? "";
  const line = {
    receipt,
    at,
    cents,
    reference: cells.account || (/\b(ORD|PLN)[0-9A-F]{8}\b/i.exec(details)?.[0] ?? null),
    phone: partyNumber(cells.party || details),
    original: /revers/i.test(`${cells.reason ?? ""} ${details}`) ? originalOf(cells) : null,
    reason: wordsOf(cells.reason || details),
  };
  return { ok: true, line };
}

/** The receipt of the payment that was reversed: in its own column, or somewhere in the details. */
function originalOf({ linked, details = "", receipt }: Cells): string | null {
  if (linked) return linked.toUpperCase();
  const found = details.match(/\b(?=[A-Z0-9]*\d)(?=[A-Z0-9]*[A-Z])[A-Z0-9]{10}\b/g) ?? [];
  return found.find((word) => word !== receipt) ?? null;
}

/** "254712345678 - JANE DOE" is "254712345678", and so is a masked number within words. */
function partyNumber(text: string): string | null {
  return /(?:\+?254|\b0)[\d*]{8,12}/.exec(text)?.[0] ?? null;
}

/** M-Pesa's words without names and numbers: what stands before "to" or "from" somebody, or a number. */
function wordsOf(text: string): string | null {
  const [words = ""] = text.split(/\s+(?:to|from)\s+|[\d+*]/);
  return words.trim().slice(0, 80) || null;
}

/** Letters and digits, with a letter: a spreadsheet makes numbers of digits alone, and may put marks around them. */
const RECEIPT = /^(?=.*[A-Z])[A-Z0-9]{8,20}$/;

const NOT_KNOWN = "is written in a way that we don't know";

/**
 * The amounts of spreadsheets whose parts can be told: "1500.5", "1,500.00", "1500,00", "1.500,00", "1 500,00". Behind
 * the decimal sign stand one or two digits, because M-Pesa counts hundredths.
 */
const AMOUNTS = [
  /^(\d{1,9})(?:[.,](\d{1,2}))?$/,
  /^(\d{1,3}(?:,\d{3})+)\.(\d{1,2})$/,
  /^(\d{1,3}(?:\.\d{3})+),(\d{1,2})$/,
  /^(\d{1,3}(?:[ '’]\d{3})+)(?:[.,](\d{1,2}))?$/,
  /^(\d{1,3}(?:,\d{3}){2,})$/,
  /^(\d{1,3}(?:\.\d{3}){2,})$/,
];

/** An amount in hundredths, below zero with a minus or in brackets, zero for an empty cell; or why it can't be read. */
function readCents(text: string): number | string {
  const [, bracketed] = /^\((.+)\)$/.exec(text) ?? [];
  const [, minus, amount = ""] = /^([-−–]?)(.*)$/.exec((bracketed ?? text).replaceAll(/\s/g, " ")) ?? [];
  if (text === "") return 0;
  if (/^\d{1,3}[.,]\d{3}$/.test(amount)) return "could be two amounts";
  const found = AMOUNTS.map((known) => known.exec(amount)).find((match) => match !== null);
  if (!found) return NOT_KNOWN;
  const [, whole = "", part = ""] = found;
  const cents = Number(whole.replaceAll(/\D/g, "")) * 100 + Number(part.padEnd(2, "0"));
  return minus || bracketed ? -cents : cents;
}

const DAY = String.raw`(?<first>\d{4}|\d{1,2})(?<mark>[-/.])(?<middle>\d{1,2})\k<mark>(?<last>\d{4}|\d{1,2})`;
const CLOCK = String.raw`(?<hour>\d{1,2}):(?<minute>\d{2})(?::(?<second>\d{2}))?(?:\s*(?<half>[ap])\.?\s?m\.?)?`;
const TIME = `${DAY},?[ T]+${CLOCK}`;
const WHOLE_TIME = new RegExp(`^${TIME}$`, "i");

/**
 * A time in East Africa Time, in ms since 1970; or why it can't be read. M-Pesa writes the day first, "26-11-2026
 * 10:15:32", or the year, and where dates have points the day is first, too. Between slashes the month may be first, as
 * in America.
 */
function readTime(text: string): number | string {
  const read = WHOLE_TIME.exec(text.replaceAll(/\s+/g, " "));
  const { first = "", mark, middle = "", last = "", hour = "", minute = "", second = "00", half } = read?.groups ?? {};
  const isYearFirst = first.length === 4;
  if ((isYearFirst ? last : first).length > 2 || (isYearFirst ? first : last).length !== 4) return NOT_KNOWN;
  if (
    mark === "/" &&
    !isYearFirst &&
    first.padStart(2, "0") !== middle.padStart(2, "0") &&
    isMonth(first) &&
    isMonth(middle)
  )
    return "could be two days";
  const isAmerican = mark === "/" && !isYearFirst && isMonth(first) && !isMonth(middle);
  const [year, month, day] = isYearFirst
    ? [first, middle, last]
    : isAmerican
      ? [last, first, middle]
      : [last, middle, first];
  const hours = hoursOf(hour, half);
  if (hours === null) return NOT_KNOWN;
  const two = (digits: string) => digits.padStart(2, "0");
  return readCompactTime(`${year}${two(month)}${two(day)}${two(hours)}${minute}${second}`) ?? NOT_KNOWN;
}

function isMonth(digits: string): boolean {
  return Number(digits) <= 12;
}

/**
 * The hour of a clock with 24 hours: "9" with a "p" behind it is 21. Null for an hour that such a clock doesn't have.
 */
function hoursOf(hour: string, half: string | undefined): string | null {
  if (half === undefined) return hour;
  const number = Number(hour);
  if (number < 1 || number > 12) return null;
  return String((number % 12) + (half.toLowerCase() === "p" ? 12 : 0));
}

/** The two times that the rows above the header name as the period; empty if they don't. */
function periodOf(above: readonly string[][]): [from: number, until: number] | [] {
  const words = above.map((row) => row.join(" ")).find((row) => /period/i.test(row)) ?? "";
  const [from, until] = (words.match(new RegExp(TIME, "gi")) ?? []).map(readTime);
  return typeof from === "number" && typeof until === "number" && from <= until ? [from, until] : [];
}
