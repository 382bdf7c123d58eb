/**
 * M-Pesa's own lists on the admin pages: what they found, statements that admins send, and lines that they deal with.
 */
import { and, desc, eq, isNull, max, not, or, sql } from "drizzle-orm";
import { expectOneChange, read } from "#app/db/batch.ts";
import { asJson, build, pick } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import { mpesaLists, paymentAttempts, unmatchedLines } from "#app/payments/tables.server.ts";
import { profiles } from "#app/accounts/tables.server.ts";
import type { ListAccount, ListSource } from "#app/db/states/mpesa-list.ts";
import { compareWithRecords, keepComparison } from "#app/payments/books/mpesa-lists.server.ts";
import { readStatement } from "#app/payments/books/statement-file.ts";
import { adminCounts, readAdminCounts } from "#app/team/admin-pages.server.ts";
import { type Admin, performAdminAction } from "#app/team/perform-act.server.ts";
import { decideMoney, type MoneyDecisionServices } from "./money-decisions.server.ts";
import { isOwnMoney, ownMoney } from "./money-moves.server.ts";
import type { MoneyOutcome } from "./money-texts.ts";

const LISTS_SHOWN = 20;
const LINES_SHOWN = 100;
/** More lines than this don't come from mistakes: the file is of another account. */
const UNMATCHED_MAX = 300;

/** An attempt that a payment without a record may be. */
interface PossiblePayment {
  id: string;
  state: string;
}

function selectLists() {
  return build
    .select({
      ...pick(mpesaLists, "id", "source", "account", "fromAt", "untilAt", "equal"),
      ...pick(mpesaLists, "learned", "missingHere", "missingThere", "different", "ignored"),
      sender: profiles.fullName,
      createdAt: mpesaLists.createdAt,
    })
    .from(mpesaLists)
    .leftJoin(profiles, eq(profiles.id, mpesaLists.sentBy));
}

/**
 * The lists, the latest first, and the lines to look at: all open ones, or all that one list showed last. One round
 * trip.
 */
export async function openListsPage({ db }: Pick<Store, "db">, listId: string | null) {
  const { orderId, subscriptionId, amount, receipt, id, state } = paymentAttempts;
  const { reference, listedCents } = unmatchedLines;
  const beginning = sql`lower(substr(${reference}, 4, 8))`;
  const isFor = (column: typeof orderId | typeof subscriptionId) =>
    sql`${column} BETWEEN ${beginning} AND ${beginning} || '~'`;
  const possible = (column: typeof orderId | typeof subscriptionId) =>
    build
      .select({ found: sql`json_group_array(json_object('id', ${id}, 'state', ${state}))` })
      .from(paymentAttempts)
      .where(and(isFor(column), sql`${amount} * 100 = ${listedCents}`, isNull(receipt)));
  const { source, learned, missingHere, missingThere, different, createdAt } = mpesaLists;
  const isNews = or(
    eq(source, "statement" satisfies ListSource),
    sql`${learned} + ${missingHere} + ${missingThere} + ${different} > 0`,
  );
  const {
    counts,
    latest,
    list: [list],
    pulled: [pulled],
    lines,
  } = await read(db, {
    counts: adminCounts(),
    // Of the 48 lists that are pulled a day, those that found something.
    latest: selectLists().where(isNews).orderBy(desc(createdAt)).limit(LISTS_SHOWN),
    list: selectLists().where(eq(mpesaLists.id, listId ?? "")),
    pulled: build
      .select({ at: max(createdAt) })
      .from(mpesaLists)
      .where(eq(source, "pull" satisfies ListSource)),
    lines: build
      .select({
        ...pick(unmatchedLines, "id", "finding", "receipt", "recordKind", "recordId"),
        listedCents,
        recordedAmount: unmatchedLines.recordedAmount,
        reference,
        ...pick(unmatchedLines, "reason", "at", "closedAt"),
        closer: profiles.fullName,
        resolution: unmatchedLines.resolution,
        possible: asJson<PossiblePayment[]>(
          sql`CASE WHEN ${reference} LIKE 'ORD________' THEN (${possible(orderId)})
            WHEN ${reference} LIKE 'PLN________' THEN (${possible(subscriptionId)}) ELSE '[]' END`,
        ).as("possible"),
      })
      .from(unmatchedLines)
      .leftJoin(profiles, eq(profiles.id, unmatchedLines.closedBy))
      .where(listId === null ? isNull(unmatchedLines.closedAt) : eq(unmatchedLines.listId, listId))
      .orderBy(desc(unmatchedLines.createdAt), unmatchedLines.id)
      .limit(LINES_SHOWN),
  });
  if (listId !== null && !list) return null;
  return { counts: readAdminCounts(counts), lists: latest, list: list ?? null, pulledAt: pulled?.at ?? null, lines };
}

export type ListsPage = NonNullable<Awaited<ReturnType<typeof openListsPage>>>;
export type ListRow = ListsPage["lists"][number];
export type LineRow = ListsPage["lines"][number];

type SentStatement = { ok: true; listId: string; unmatched: number } | { ok: false; error: string };

/**
 * Compares a statement with our records and keeps what doesn't match. A file proves nothing, so it settles no payment:
 * that is a person's press, and M-Pesa must confirm the receipt. Nor does it close a line about its sender's own money.
 * `error` is for the admin.
 */
export async function sendStatement(
  store: Store,
  admin: Admin,
  { bytes, account }: { bytes: Uint8Array; account: ListAccount },
): Promise<SentStatement> {
  const reading = readStatement(bytes);
  if (!reading.ok) return reading;
  const { lines, from, until, ignored } = reading.statement;
  const period = { source: "statement", account, lines, from, until } as const;
  const comparison = await compareWithRecords(store, period);
  const unmatched = comparison.unmatched.length;
  if (unmatched > UNMATCHED_MAX) {
    const error = `${unmatched.toLocaleString("en")} lines don't match our records. Please check that this is the statement of the account that you chose.`;
    return { ok: false, error };
  }
  const listId = crypto.randomUUID();
  const isNotOwn = not(ownMoney(admin.id, unmatchedLines.recordId));
  await keepComparison(store, { ...period, id: listId, learned: 0, ignored, sentBy: admin.id }, comparison, isNotOwn);
  return { ok: true, listId, unmatched };
}

async function findLine({ db }: Pick<Store, "db">, id: string) {
  const { receipt, recordId } = unmatchedLines;
  const [line] = await db
    .select({ receipt, recordId })
    .from(unmatchedLines)
    .where(and(eq(unmatchedLines.id, id), isNull(unmatchedLines.closedAt)));
  return line ?? null;
}

/**
 * An admin has dealt with a line; `resolution` says how. Later lists don't open it again. Returns "stale" if it is
 * closed already.
 */
export async function closeLine(
  store: Store,
  admin: Admin,
  id: string,
  resolution: string,
): Promise<"resolved" | "stale" | "own_money"> {
  const line = await findLine(store, id);
  if (!line) return "stale";
  if (line.recordId !== null && (await isOwnMoney(store, admin.id, line.recordId))) return "own_money";
  const closed = { closedAt: store.now(), closedBy: admin.id, resolution };
  const done = await performAdminAction(
    store,
    admin,
    { action: "line_closed", subject: `line:${id}`, detail: resolution },
    [
      build
        .update(unmatchedLines)
        .set(closed)
        .where(and(eq(unmatchedLines.id, id), isNull(unmatchedLines.closedAt))),
      expectOneChange(),
    ],
  );
  return done ? "resolved" : "stale";
}

/**
 * Asks M-Pesa whether a listed receipt is the payment of this attempt (`decideMoney`). The line closes once it is ours.
 */
export async function acceptLine(
  services: MoneyDecisionServices,
  admin: Admin,
  { id, attempt }: { id: string; attempt: string },
): Promise<MoneyOutcome> {
  const line = await findLine(services, id);
  if (!line?.receipt) return "stale";
  return decideMoney(services, admin, { intent: "accept", id: attempt, receipt: line.receipt });
}
