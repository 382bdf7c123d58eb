/**
 * Compares M-Pesa's own lists with our records, and keeps what doesn't match (docs/m-pesa.md, "M-Pesa's own lists").
 */
import {
  and,
  between,
  type Column,
  eq,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import { type Statement, read, write } from "#app/db/batch.ts";
import { asBoolean, build, hasRow, named } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import {
  discrepancies,
  mpesaLists,
  paymentAttempts,
  payouts,
  refunds,
  unmatchedLines,
} from "#app/payments/tables.server.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ATTEMPT } from "#app/db/states/attempt.ts";
import type { ListAccount, ListSource } from "#app/db/states/mpesa-list.ts";
import { TRANSFER, type TransferMethod } from "#app/db/states/transfer.ts";
import { RETENTION } from "#app/platform/retention-rules.ts";
import { comparePhone } from "#app/payments/receipt-rules.ts";
import {
  type Candidate,
  compareList,
  type Comparison,
  type ListedLine,
  type OwnRecord,
  readReference,
  type Unmatched,
} from "./mpesa-list-rules.ts";
import { MINUTE_MS } from "#app/platform/duration-rules.ts";

/** M-Pesa may date a payment so long before its request, ms (docs/m-pesa.md, "Callbacks of a prompt"). */
const EARLY_MS = 3 * MINUTE_MS;

export interface ListedPeriod {
  source: ListSource;
  account: ListAccount;
  lines: ListedLine[];
  /** Ms since 1970. */
  from: number;
  until: number;
}

/** Compares a list with our records as they are now. Writes nothing. One round trip. */
export async function compareWithRecords(store: Pick<Store, "db">, period: ListedPeriod): Promise<Comparison> {
  const receipts = JSON.stringify(period.lines.map(({ receipt }) => receipt));
  const originals = JSON.stringify(period.lines.flatMap(({ original }) => original ?? []));
  const isListed = (column: Column, list = receipts) => inArray(column, sql`(SELECT value FROM json_each(${list}))`);
  const answers = await read(store.db, [
    selectPayments(isListed(paymentAttempts.receipt)),
    selectPayouts(isListed(payouts.receipt)),
    selectRefunds(isListed(refunds.receipt)),
    selectRefunds(isListed(paymentAttempts.receipt, originals)),
    ...doneWithin(period),
  ]);
  const records = new Map(answers.flat().map((row) => [row.id, toRecord(row)]));
  return compareList(period.lines, [...records.values()], period);
}

/** What was done within a period and must be on its list. A pulled list has payments only. */
function doneWithin({ source, account, from, until }: ListedPeriod) {
  const isWithin = (column: Column) => between(column, from, until);
  const methodIs = (method: TransferMethod) =>
    and(stateIs(refunds.state, TRANSFER.isDone), isWithin(refunds.createdAt), eq(refunds.method, method));
  if (account === "payouts")
    return [
      selectPayouts(and(stateIs(payouts.state, TRANSFER.isDone), isWithin(payouts.createdAt))),
      selectRefunds(methodIs("b2c")),
    ];
  const paid = selectPayments(
    and(
      // The plus leaves the search to the index of settled attempts.
      sql`+${stateIs(paymentAttempts.state, ATTEMPT.isPaid)}`,
      isNotNull(paymentAttempts.settledAt),
      isWithin(paymentAttempts.settledAt),
      gte(paymentAttempts.createdAt, from),
    ),
  );
  // When a payment was reversed that M-Pesa says was reversed before, nobody knows.
  return source === "pull" ? [paid] : [paid, selectRefunds(and(methodIs("reversal"), isNotNull(refunds.receipt)))];
}

const text = <T extends string>(value: T) => sql<T>`${sql.raw(`'${value}'`)}`;

function selectPayments(where: SQL | undefined) {
  const { id, receipt, amount, state, createdAt, settledAt } = paymentAttempts;
  return build
    .select({
      kind: text("payment").as("kind"),
      id,
      receipt,
      original: sql<string | null>`NULL`.as("original"),
      amount,
      isDone: asBoolean(stateIs(state, ATTEMPT.isPaid)).as("is_done"),
      createdAt,
      ...named({ latest: settledAt }),
    })
    .from(paymentAttempts)
    .where(where);
}

function selectPayouts(where: SQL | undefined) {
  const { id, receipt, amount, state, createdAt, doneAt } = payouts;
  return build
    .select({
      kind: text("payout").as("kind"),
      id,
      receipt,
      original: sql<string | null>`NULL`.as("original"),
      amount,
      isDone: asBoolean(stateIs(state, TRANSFER.isDone)).as("is_done"),
      createdAt,
      ...named({ latest: doneAt }),
    })
    .from(payouts)
    .where(where);
}

function selectRefunds(where: SQL | undefined) {
  const { id, receipt, amount, state, method, createdAt, doneAt } = refunds;
  const isReversal = eq(method, "reversal" satisfies TransferMethod);
  return build
    .select({
      kind: text("refund").as("kind"),
      id,
      receipt,
      original: sql<string | null>`CASE WHEN ${isReversal} THEN ${paymentAttempts.receipt} END`.as("original"),
      amount,
      isDone: asBoolean(stateIs(state, TRANSFER.isDone)).as("is_done"),
      createdAt,
      ...named({ latest: doneAt }),
    })
    .from(refunds)
    .innerJoin(paymentAttempts, eq(paymentAttempts.id, refunds.attemptId))
    .where(where);
}

type Row = Awaited<ReturnType<typeof selectPayments | typeof selectPayouts | typeof selectRefunds>>[number];

function toRecord({ kind, id, receipt, original, amount, isDone, createdAt, latest }: Row): OwnRecord {
  const isIn = kind === "payment";
  return {
    kind,
    id,
    receipt,
    original,
    amount: isIn ? amount : -amount,
    isDone,
    earliest: isIn ? createdAt - EARLY_MS : createdAt,
    latest,
  };
}

/** A payment that isn't ours yet, as an attempt. */
export interface FoundCandidate extends Candidate {
  checkoutRequestId: string | null;
}

/**
 * The attempts that a payment without a record may be: for the order or plan that its reference names, of its amount,
 * not from another number, and without a receipt. `contradicted`: ids of attempts whose receipt the list has for
 * something else, or doesn't have, so the payment may be theirs.
 */
export async function findCandidates(
  { db }: Pick<Store, "db">,
  line: Pick<ListedLine, "cents" | "reference" | "phone">,
  contradicted: readonly string[],
): Promise<FoundCandidate[]> {
  const reference = readReference(line.reference);
  if (reference === null || line.cents <= 0) return [];
  const { id, orderId, subscriptionId, amount, phone, receipt, state, checkoutRequestId } = paymentAttempts;
  const wasDoubted = hasRow(
    discrepancies,
    and(inArray(discrepancies.kind, ["payment_mismatch", "declined_after_success"]), eq(discrepancies.subject, id)),
  );
  const isContradicted = sql`${id} IN (SELECT value FROM json_each(${JSON.stringify(contradicted)}))`;
  const found = await db
    .select({
      id,
      phone,
      checkoutRequestId,
      isPaid: asBoolean(stateIs(state, ATTEMPT.isPaid)),
      isDoubted: asBoolean(sql`(${or(wasDoubted, isContradicted)})`),
    })
    .from(paymentAttempts)
    .where(
      and(
        beginsWith(reference.of === "order" ? orderId : subscriptionId, reference.beginning),
        sql`${amount} * 100 = ${line.cents}`,
        or(isNull(receipt), isContradicted),
      ),
    );
  const compared = await Promise.all(
    found.map(async ({ phone: asked, ...attempt }) => ({
      attempt,
      is: await comparePhone(line.phone, asked),
    })),
  );
  return compared.flatMap(({ attempt, is }) => (is === "other" ? [] : [attempt]));
}

/** SQL that uses an index. */
function beginsWith(column: Column, beginning: string): SQL | undefined {
  return and(gte(column, beginning), lte(column, `${beginning}~`));
}

interface KeptList extends Omit<ListedPeriod, "lines"> {
  id: string;
  /** Payments that we learned of from the list. */
  learned: number;
  ignored: number;
  sentBy: string | null;
}

/**
 * Keeps the counts of a list, and its lines that a person must look at. A line that an admin has dealt with stays
 * closed. Lines of earlier lists that match by now are closed: of a statement, where `mayClose` (SQL) lets its sender.
 * Safe to repeat.
 */
export async function keepComparison(
  store: Store,
  list: KeptList,
  comparison: Comparison,
  mayClose?: SQL,
): Promise<void> {
  const now = store.now();
  const { equal, unmatched } = comparison;
  const count = (finding: Unmatched["finding"]) => unmatched.filter((line) => line.finding === finding).length;
  const { id, source, account, from, until, learned, ignored, sentBy } = list;
  await write(store.db, [
    build
      .insert(mpesaLists)
      .values({
        id,
        source,
        account,
        fromAt: from,
        untilAt: until,
        equal: equal.length,
        learned,
        missingHere: count("missing_here"),
        missingThere: count("missing_there"),
        different: count("different"),
        ignored,
        sentBy,
        createdAt: now,
      })
      .onConflictDoNothing(),
    ...unmatched.map((line) => keepLine(list.id, line, now)),
    closeFound(comparison, { closedAt: now, closedBy: sentBy }, mayClose),
    closeMatched(now),
  ]);
}

/** Deletes the counts of lists that were pulled long ago. Returns how many. */
export async function deleteOldPulls({ db, now }: Store): Promise<number> {
  const { source, createdAt } = mpesaLists;
  const { deleted } = await write(db, {
    deleted: build
      .delete(mpesaLists)
      .where(and(eq(source, "pull"), lt(createdAt, now() - RETENTION.pulled_lists.keptMs))),
  });
  return deleted.meta.changes;
}

function keepLine(listId: string, { id, finding, line, record }: Unmatched, now: number): Statement {
  const seen = {
    listId,
    listedCents: line?.cents ?? null,
    recordedAmount: record?.amount ?? null,
    recordKind: record?.kind ?? null,
    recordId: record?.id ?? null,
  };
  return build
    .insert(unmatchedLines)
    .values({
      id,
      finding,
      receipt: line?.receipt ?? record?.receipt ?? null,
      ...seen,
      reference: line?.reference?.slice(0, 40) ?? null,
      reason: line?.reason ?? null,
      at: line?.at ?? record?.latest ?? now,
      createdAt: now,
    })
    .onConflictDoUpdate({
      target: unmatchedLines.id,
      set: {
        ...seen,
        closedAt: sql`CASE WHEN ${unmatchedLines.resolution} IS NOT NULL THEN ${unmatchedLines.closedAt} END`,
      },
    });
}

/** Closes what an earlier list showed and this one matches. */
function closeFound(
  { equal, unmatched }: Comparison,
  closed: { closedAt: number; closedBy: string | null },
  mayClose: SQL | undefined,
): Statement {
  const receipts = JSON.stringify(equal.map(({ line }) => line.receipt));
  const records = JSON.stringify(equal.map(({ record }) => record.id));
  const still = JSON.stringify(unmatched.map(({ id }) => id));
  const isAmong = (column: Column, list: string) => sql`${column} IN (SELECT value FROM json_each(${list}))`;
  return build
    .update(unmatchedLines)
    .set(closed)
    .where(
      and(
        isNull(unmatchedLines.closedAt),
        or(isAmong(unmatchedLines.receipt, receipts), isAmong(unmatchedLines.recordId, records)),
        sql`NOT ${isAmong(unmatchedLines.id, still)}`,
        mayClose,
      ),
    );
}

/**
 * Closes lines that were missing here, and whose receipt and amount we have by now: M-Pesa confirmed them to an admin.
 */
export function closeMatched(now: number): Statement {
  const { receipt, listedCents, closedAt, finding } = unmatchedLines;
  const isPaid = hasRow(
    paymentAttempts,
    and(
      eq(paymentAttempts.receipt, receipt),
      stateIs(paymentAttempts.state, ATTEMPT.isPaid),
      sql`${paymentAttempts.amount} * 100 = ${listedCents}`,
    ),
  );
  const isSent = (table: typeof payouts | typeof refunds) =>
    hasRow(
      table,
      and(
        eq(table.receipt, receipt),
        stateIs(table.state, TRANSFER.isDone),
        sql`${table.amount} * -100 = ${listedCents}`,
      ),
    );
  return build
    .update(unmatchedLines)
    .set({ closedAt: now })
    .where(and(isNull(closedAt), eq(finding, "missing_here"), or(isPaid, isSent(payouts), isSent(refunds))));
}
