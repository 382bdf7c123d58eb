/**
 * Every half hour: asks M-Pesa for its list of payments and compares it with ours, so that a payment is found although
 * its callback never came and no query can be made about it (docs/m-pesa.md, "M-Pesa's own lists").
 */
import { desc, eq } from "drizzle-orm";
import { write } from "#app/db/batch.ts";
import { mpesaLists } from "#app/payments/tables.server.ts";
import { applyAttemptEvent } from "#app/payments/collect/settlement.server.ts";
import { type PaymentGateway, PULL_PAGE, type PulledPayment } from "#app/payments/gateway.ts";
import { openGateway } from "#app/payments/open-gateway.server.ts";
import type { PaymentServices } from "#app/payments/payment-services.ts";
import { formatDateTime } from "#app/ui/dates.ts";
import { recordDiscrepancy, resolveDiscrepancies } from "./discrepancies.server.ts";
import { chooseCandidate, type ListedLine } from "./mpesa-list-rules.ts";
import { compareWithRecords, findCandidates, keepComparison, type ListedPeriod } from "./mpesa-lists.server.ts";
import { MINUTE_MS, HOUR_MS } from "#app/platform/duration-rules.ts";

/** M-Pesa keeps 48 hours. Ms. */
const KEPT_MS = 47 * HOUR_MS;
/**
 * How much of the time before the last list is asked for again, ms: a payment is compared only by a list that covers
 * all of the time in which it may have been made.
 */
const OVERLAP_MS = 2 * HOUR_MS;
/** Payments of the last minutes may not be on the list yet, ms. */
const FRESH_MS = 10 * MINUTE_MS;
/** The most pages of one list. */
const PAGES = 100;
/** Without a list for so long, our team is told, ms. */
const SILENT_MS = 3 * HOUR_MS;

/** What became of a list. `failed`: M-Pesa didn't give it. */
export type Pulled = { kind: "listed"; lines: number; learned: number; unmatched: number } | { kind: "failed" | "off" };

/**
 * Pulls what M-Pesa lists since the last time. A payment that we don't know of is applied as its callback would be, if
 * it is certain to which attempt it belongs; its query must still confirm it. Everything else is kept for a person.
 * Safe to repeat.
 */
export async function pullPayments(services: PaymentServices): Promise<Pulled> {
  const { pullNumber } = services.payments;
  if (pullNumber === "") return { kind: "off" };
  const gateway = await openGateway(services);
  if (!gateway) return { kind: "failed" };
  const now = services.now();
  const [last] = await services.db
    .select({ until: mpesaLists.untilAt })
    .from(mpesaLists)
    .where(eq(mpesaLists.source, "pull"))
    .orderBy(desc(mpesaLists.createdAt))
    .limit(1);
  const from = Math.max(now - KEPT_MS, (last?.until ?? 0) - OVERLAP_MS);
  const period = { source: "pull", account: "collection", from, until: now } as const;
  // The first time, and after a long silence, perhaps because the registration was lost.
  if (!last || now - last.until > SILENT_MS) await register(services, gateway, pullNumber);
  const pages = await readPages(gateway, period);
  if (typeof pages === "string") {
    await tellSilence(services, last?.until ?? null, pages);
    return { kind: "failed" };
  }
  const lines = pages.payments.map(toLine);
  // What is too fresh is compared by the next list.
  const covered = { ...period, lines, until: now - FRESH_MS };
  const learned = await learn(services, covered);
  const comparison = await compareWithRecords(services, covered);
  await keepComparison(
    services,
    { ...covered, id: crypto.randomUUID(), learned, ignored: 0, sentBy: null },
    comparison,
  );
  if (pages.unreadable > 0)
    await recordDiscrepancy(services, "mpesa_list", "unreadable", `${pages.unreadable} rows can't be read`);
  if (last && last.until < now - KEPT_MS) {
    const gap = `It goes back 48 hours. Send the statement from ${formatDateTime(last.until)} to ${formatDateTime(from)}`;
    await recordDiscrepancy(services, "mpesa_list", `gap:${last.until}`, gap);
  }
  await write(services.db, [resolveDiscrepancies(["mpesa_list"], "silent", "the list came", services.now())]);
  return { kind: "listed", lines: lines.length, learned, unmatched: comparison.unmatched.length };
}

async function register(services: PaymentServices, gateway: PaymentGateway, pullNumber: string): Promise<void> {
  const answer = await gateway.registerPull(pullNumber);
  if (answer.kind !== "accepted")
    services.log({ event: "pull_not_registered", level: "warn", answer: answer.kind, code: answer.code });
}

/** All pages of a period, or why there are none. */
async function readPages(
  gateway: PaymentGateway,
  { from, until }: { from: number; until: number },
): Promise<{ payments: PulledPayment[]; unreadable: number } | string> {
  const payments: PulledPayment[] = [];
  let unreadable = 0;
  for (let page = 0; page < PAGES; page += 1) {
    const answer = await gateway.pull({ from, until, offset: payments.length + unreadable });
    if (answer.kind !== "listed") return `${answer.code}: ${answer.message}`;
    payments.push(...answer.payments);
    unreadable += answer.unreadable;
    if (answer.payments.length + answer.unreadable < PULL_PAGE) return { payments, unreadable };
  }
  return `more than ${PAGES * PULL_PAGE} payments`;
}

async function tellSilence(services: PaymentServices, lastUntil: number | null, why: string): Promise<void> {
  services.log({ event: "pull_failed", level: "warn", why });
  if (lastUntil !== null && services.now() - lastUntil < SILENT_MS) return;
  await recordDiscrepancy(services, "mpesa_list", "silent", why);
}

function toLine({ receipt, at, amountCents, reference, phone, reason }: PulledPayment): ListedLine {
  return { receipt, at, cents: amountCents, reference, phone, original: null, reason };
}

/** Applies the payments that we don't know of and that surely belong to one attempt. Returns how many. */
async function learn(services: PaymentServices, period: ListedPeriod): Promise<number> {
  const { unmatched } = await compareWithRecords(services, period);
  const contradicted = unmatched.flatMap(({ record }) =>
    record?.kind === "payment" && record.receipt !== null ? [record.id] : [],
  );
  let learned = 0;
  for (const { line } of unmatched) {
    if (line === null) continue;
    const candidates = await findCandidates(services, line, contradicted);
    const attempt = candidates.find(({ id }) => id === chooseCandidate(candidates));
    if (!attempt) continue;
    const { checkoutRequestId } = attempt;
    // The list's time zone isn't established, so it doesn't date the order.
    const report = { event: "paid", receipt: line.receipt, paidAt: null, checkoutRequestId } as const;
    if ((await applyAttemptEvent(services, attempt.id, report)) === "applied") learned += 1;
  }
  return learned;
}
