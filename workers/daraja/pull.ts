/** Reads the answers of Pull Transactions (docs/m-pesa.md, "M-Pesa's own lists"). */
import { readCompactTime } from "#app/platform/east-africa-time.ts";
import type { PullAnswer, PulledPayment } from "#app/payments/gateway.ts";
import { type ProviderAnswer, refusesToken } from "./classify.ts";
import { isJsonObject, readText } from "./json-reading.ts";

/**
 * In the answer to a query: listed, and nothing in that time. In the answer to a registration: done, and done before.
 */
const FINE = ["1000", "1001"];
/** More lists in lists than this aren't read. */
const DEPTH = 3;

type Refused = Exclude<PullAnswer, { kind: "listed" }>;

/** Reads the answer to a registration. */
export function classifyRegistration(answer: ProviderAnswer): { kind: "accepted" } | Refused {
  const code = readText(answer.body.ResponseStatus, 32) ?? readText(answer.body.ResponseCode, 32);
  return isOk(answer) && code !== null && FINE.includes(code) ? { kind: "accepted" } : refusalOf(answer);
}

/** Reads a page of the list. */
export function classifyPull(answer: ProviderAnswer): PullAnswer {
  const code = readText(answer.body.ResponseCode, 32);
  if (!isOk(answer) || code === null || !FINE.includes(code)) return refusalOf(answer);
  const rows = rowsIn(answer.body.Response, DEPTH);
  const payments = rows.map(readPayment).filter((payment) => payment !== null);
  return { kind: "listed", payments, unreadable: rows.length - payments.length };
}

function isOk({ shape, status }: ProviderAnswer): boolean {
  return shape === "result" && status >= 200 && status < 300;
}

function refusalOf(answer: ProviderAnswer): Refused {
  const { code, message, status } = answer;
  const isRefused = status >= 400 && status < 500 && status !== 408 && status !== 429 && !refusesToken(answer);
  return { kind: isRefused ? "refused" : "unknown", code, message };
}

/** The rows, however many lists they are in. */
function rowsIn(value: unknown, depth: number): unknown[] {
  if (!Array.isArray(value)) return value === undefined || value === null ? [] : [value];
  return depth === 0 ? [] : value.flatMap((inner) => rowsIn(inner, depth - 1));
}

function readPayment(row: unknown): PulledPayment | null {
  if (!isJsonObject(row)) return null;
  const receipt = readText(row.transactionId, 64);
  const [, whole, part = ""] = /^(\d{1,9})(?:\.(\d{1,2}))?$/.exec(readText(row.amount, 16) ?? "") ?? [];
  // Written with a Z. Queries name East Africa Time, so we take it for that (docs/m-pesa.md).
  const at = readCompactTime((readText(row.trxDate, 32) ?? "").replaceAll(/\D/g, "").slice(0, 14));
  if (receipt === null || whole === undefined || at === null) return null;
  return {
    receipt: receipt.toUpperCase(),
    at,
    amountCents: Number(whole) * 100 + Number(part.padEnd(2, "0")),
    reference: readText(row.billreference, 64),
    phone: readText(row.msisdn, 128),
    reason: readText(row.transactiontype, 64),
  };
}
