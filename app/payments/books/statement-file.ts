/** Reads the statement of one of our accounts, as M-Pesa's portal for businesses gives it (docs/m-pesa.md, "M-Pesa's own lists"). */
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
  const { data } = Papa.parse<string[]>(text, { skipEmptyLines: "greedy" });
  const head = data.findIndex((row) => row.some((cell) => columnOf(cell) === "receipt"));
  const columns = (data[head] ?? []).map(columnOf);
  if (!["receipt", "completed", "paidIn", "withdrawn"].every((name) => columns.includes(name as Column)))
    return { ok: false, error: TEXTS.no_header };
  const rows = data.slice(head + 1);
  if (rows.length > STATEMENT_MAX.lines) return { ok: false, error: TEXTS.too_many };
  const lines: ListedLine[] = [];
  let ignored = 0;
  for (const [n, row] of rows.entries()) {
    const cells: Cells = {};
    for (const [at, column] of columns.entries()) if (column) cells[column] = (row[at] ?? "").trim().slice(0, CELL_MAX);
    // A last row may hold totals.
    if (!cells.receipt || !isCompleted(cells)) continue;
    const kind = kindOf(cells);
    if (CHARGE.test(kind) || OWN_TRANSFER.test(kind)) {
      ignored += 1;
      continue;
    }
    const line = readLine(cells);
    if (line === null)
      return { ok: false, error: `We can't read the time or the amount of line ${head + n + 2}, ${cells.receipt}.` };
    lines.push(line);
  }
  if (lines.length === 0) return { ok: false, error: TEXTS.no_lines };
  const times = lines.map(({ at }) => at);
  const [from = Math.min(...times), until = Math.max(...times)] = periodOf(data.slice(0, head));
  return { ok: true, statement: { lines, from, until, ignored } };
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

function readLine(cells: Cells): ListedLine | null {
  const at = readTime(cells.completed ?? "");
  const paidIn = readCents(cells.paidIn);
  const withdrawn = readCents(cells.withdrawn);
  if (at === null || paidIn === null || withdrawn === null) return null;
  const cents = Math.abs(paidIn) - Math.abs(withdrawn);
  const details = cells.details ?? "";
  return {
    receipt: (cells.receipt ?? "").toUpperCase(),
    at,
    cents,
    reference: cells.account || (/\b(ORD|PLN)[0-9A-F]{8}\b/i.exec(details)?.[0] ?? null),
    phone: partyNumber(cells.party || details),
    original: /revers/i.test(`${cells.reason ?? ""} ${details}`) ? originalOf(cells) : null,
    reason: wordsOf(cells.reason || details),
  };
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

/** "1,500.00", "-1500" or nothing, in hundredths; null for anything else. */
function readCents(text = ""): number | null {
  const [, sign, whole, part = ""] = /^(-?)(\d{1,9})(?:\.(\d{1,2}))?$/.exec(text.replaceAll(",", "") || "0") ?? [];
  if (whole === undefined) return null;
  return (sign === "-" ? -1 : 1) * (Number(whole) * 100 + Number(part.padEnd(2, "0")));
}

const TIME = /(\d{2}|\d{4})[-/](\d{2})[-/](\d{4}|\d{2}) (\d{2}):(\d{2})(?::(\d{2}))?/;

/** "26-11-2026 10:15:32" or "2026-11-26 10:15:32", in East Africa Time; null for anything else. */
function readTime(text: string): number | null {
  const [, first = "", month, last = "", hour, minute, second = "00"] = TIME.exec(text) ?? [];
  const [year, day] = first.length === 4 ? [first, last] : [last, first];
  return readCompactTime(`${year}${month}${day}${hour}${minute}${second}`);
}

/** The two times that the rows above the header name as the period; empty if they don't. */
function periodOf(above: readonly string[][]): [from: number, until: number] | [] {
  const words = above.map((row) => row.join(" ")).find((row) => /period/i.test(row)) ?? "";
  const [from, until] = (words.match(new RegExp(TIME.source, "g")) ?? []).map(readTime);
  return typeof from === "number" && typeof until === "number" && from <= until ? [from, until] : [];
}
