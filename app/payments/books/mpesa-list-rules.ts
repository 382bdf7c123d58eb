/** Comparing M-Pesa's own list of a period with our records: pure rules (docs/m-pesa.md, "M-Pesa's own lists"). */
import type { LineFinding, RecordKind } from "#app/db/states/mpesa-list.ts";

/** A completed transaction as M-Pesa lists it. */
export interface ListedLine {
  receipt: string;
  /** Ms since 1970. */
  at: number;
  /** Hundredths of KES. What left us is below zero. */
  cents: number;
  /** The account reference that the payer gave. */
  reference: string | null;
  /** The other side's number as M-Pesa shows it, perhaps masked. Never stored. */
  phone: string | null;
  /** Of a reversal: the receipt of the payment that went back. */
  original: string | null;
  /** M-Pesa's words for the kind of transaction. */
  reason: string | null;
}

/** A payment, payout or refund of ours. */
export interface OwnRecord {
  kind: RecordKind;
  id: string;
  receipt: string | null;
  /** Of a refund by reversal: the receipt of the payment. */
  original: string | null;
  /** KES. What left us is below zero. */
  amount: number;
  /** We count it as paid, paid out or refunded. */
  isDone: boolean;
  /** M-Pesa did it between these times, ms since 1970. */
  earliest: number;
  /** Null while it isn't done. */
  latest: number | null;
}

/** A line or a record that doesn't match. */
export interface Unmatched {
  /** The finding, and the receipt or else our record, so that it is found once. */
  id: string;
  finding: LineFinding;
  line: ListedLine | null;
  record: OwnRecord | null;
}

export interface Comparison {
  /** Lines that match. */
  equal: { line: ListedLine; record: OwnRecord }[];
  unmatched: Unmatched[];
}

/**
 * Compares each line with our records: it is equal, different or missing here. A record that is done is missing there
 * if no line is about it, although M-Pesa must have done it between `from` and `until` (ms since 1970).
 */
export function compareList(
  lines: readonly ListedLine[],
  records: readonly OwnRecord[],
  { from, until }: { from: number; until: number },
): Comparison {
  const byReceipt = new Map(records.flatMap((record) => (record.receipt === null ? [] : [[record.receipt, record]])));
  const byOriginal = new Map(
    records.flatMap((record) => (record.original === null ? [] : [[record.original, record] as const])),
  );
  const comparison: Comparison = { equal: [], unmatched: [] };
  const listed = new Set<OwnRecord>();
  for (const line of withoutRepeats(lines)) {
    const record =
      byReceipt.get(line.receipt) ?? (line.original === null ? null : byOriginal.get(line.original)) ?? null;
    if (record === null) {
      comparison.unmatched.push({ id: `missing_here:${line.receipt}`, finding: "missing_here", line, record });
      continue;
    }
    // A record has one line. Another receipt for it moved the money twice.
    const isEqual = record.isDone && record.amount * 100 === line.cents && !listed.has(record);
    listed.add(record);
    if (isEqual) comparison.equal.push({ line, record });
    else comparison.unmatched.push({ id: `different:${line.receipt}`, finding: "different", line, record });
  }
  for (const record of records) {
    if (listed.has(record) || !record.isDone || record.latest === null) continue;
    if (record.earliest < from || record.latest > until) continue;
    comparison.unmatched.push({ id: `missing_there:${record.id}`, finding: "missing_there", line: null, record });
  }
  return comparison;
}

/** Pages may overlap. A receipt that comes again with another amount is another line. */
function withoutRepeats(lines: readonly ListedLine[]): ListedLine[] {
  return [...new Map(lines.map((line) => [`${line.receipt} ${line.cents}`, line])).values()];
}

/** What our account reference names: the first 8 digits of the id of an order or of a plan's subscription. */
export interface NamedBeginning {
  of: "order" | "plan";
  /** Lower case. */
  beginning: string;
}

/** Reads the account reference of a payment; null if it isn't one of ours (`accountReference`). */
export function readReference(reference: string | null): NamedBeginning | null {
  const [, prefix, digits = ""] = /^\s*(ORD|PLN)([0-9A-F]{8})\s*$/i.exec(reference ?? "") ?? [];
  if (prefix === undefined) return null;
  return { of: prefix.toUpperCase() === "ORD" ? "order" : "plan", beginning: digits.toLowerCase() };
}

/** An attempt that a payment without a record may be. */
export interface Candidate {
  id: string;
  /** It counts as paid already, and its receipt is missing. */
  isPaid: boolean;
  /** A person has to decide about it, or has decided about it. */
  isDoubted: boolean;
}

/**
 * Which attempt a payment belongs to, of those for the same order or plan with the same amount and number; null if that
 * isn't certain. One that counts as paid and lacks its receipt comes first: its own receipt must be somewhere. Beside
 * one in doubt nothing is certain, because the payment may be that one's.
 */
export function chooseCandidate(candidates: readonly Candidate[]): string | null {
  if (candidates.some(({ isDoubted }) => isDoubted)) return null;
  const paid = candidates.filter(({ isPaid }) => isPaid);
  const [only, ...others] = paid.length > 0 ? paid : candidates;
  return only && others.length === 0 ? only.id : null;
}
