import { and, asc, desc, eq, isNull, type SQLWrapper, sql } from "drizzle-orm";
import type { Cursor } from "#app/catalogue/catalogue-rules.ts";
import { writeCursor } from "#app/catalogue/catalogue-rules.ts";
import { build, oneRow } from "#app/db/build.ts";
// oxlint-disable-next-line eslint/no-restricted-imports -- each page counts in one batch what waits on all of them
import { adminProposals, moderationCases } from "#app/moderation/tables.server.ts";
// oxlint-disable-next-line eslint/no-restricted-imports -- as above
import { alarms } from "#app/admin/tables.server.ts";
import { discrepancies, payouts, refunds, unmatchedLines } from "#app/payments/tables.server.ts";
import { issueReports, orderItems } from "#app/orders/tables.server.ts";
import { verificationDocuments } from "#app/accounts/tables.server.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ITEM } from "#app/db/states/item.ts";
import { CASE } from "#app/db/states/moderation.ts";
// oxlint-disable-next-line eslint/no-restricted-imports -- each admin page counts what waits on all of them
import { IS_OPEN_PROPOSAL } from "#app/moderation/second-admin/open-proposals.server.ts";
import { waitingTransfers } from "#app/payments/transfers/waiting-transfers.server.ts";

/** How many items wait, by admin page. */
export interface AdminCounts {
  verifications: number;
  /** Cases to decide, and appeals to answer. */
  moderation: number;
  /** Items about whose money our team decides, and open issue reports. */
  problems: number;
  /** All that the money pages count: the next four. */
  money: number;
  discrepancies: number;
  /** Lines of M-Pesa's lists. */
  lines: number;
  /** Parked, or held up. */
  payouts: number;
  refunds: number;
  /** Acts that wait for a second admin. */
  proposals: number;
  /** Alarms that are on. */
  operations: number;
}

/** The counts on the admin pages' tabs, as one row. Run it in the batch of the page. */
export function adminCounts() {
  const { status } = orderItems;
  const decided = build.$count(orderItems, and(stateIs(status, ITEM.hasOpenProblem), stateIs(status, ITEM.isInReview)));
  return oneRow({
    verifications: build.$count(verificationDocuments, eq(verificationDocuments.verificationStatus, "pending")),
    moderation: build.$count(moderationCases, stateIs(moderationCases.state, CASE.awaitsTeam)),
    problems: sql<number>`${decided} + ${build.$count(issueReports, eq(issueReports.status, "open"))}`,
    discrepancies: build.$count(discrepancies, isNull(discrepancies.resolvedAt)),
    lines: build.$count(unmatchedLines, isNull(unmatchedLines.closedAt)),
    payouts: waitingTransfers(payouts),
    refunds: waitingTransfers(refunds),
    proposals: build.$count(adminProposals, IS_OPEN_PROPOSAL),
    operations: build.$count(alarms),
  });
}

export function readAdminCounts([counts]: readonly Omit<AdminCounts, "money">[]): AdminCounts {
  const read = counts ?? NOTHING_WAITS;
  return { ...read, money: read.discrepancies + read.lines + read.payouts + read.refunds };
}

const NOTHING_WAITS: Omit<AdminCounts, "money"> = {
  verifications: 0,
  moderation: 0,
  problems: 0,
  discrepancies: 0,
  lines: 0,
  payouts: 0,
  refunds: 0,
  proposals: 0,
  operations: 0,
};

/** How many rows an admin page shows. */
export const PAGE_SIZE = 30;

export type Order = "newest" | "oldest";

/**
 * The part of a query for one page: rows `beyond` the cursor, sorted by `at` (ms) and `id`. Limit it to `PAGE_SIZE` +
 * 1.
 */
export function pageOf(at: SQLWrapper, id: SQLWrapper, order: Order, cursor: Cursor | null) {
  const [direction, than] = order === "newest" ? [desc, sql`<`] : [asc, sql`>`];
  return {
    beyond: cursor ? sql`(${at}, ${id}) ${than} (${cursor.createdAt}, ${cursor.id})` : undefined,
    sorted: [direction(at), direction(id)],
  };
}

export interface ListPage<Row> {
  rows: Row[];
  /** The next page's cursor; null at the end. */
  next: string | null;
}

/** A page of the rows that a query found. `write` makes the cursor of a list that isn't sorted by time. */
export function toListPage<Row extends Cursor>(
  found: readonly Row[],
  write: (last: Row) => string = writeCursor,
): ListPage<Row> {
  const rows = found.slice(0, PAGE_SIZE);
  const last = rows.at(-1);
  return { rows, next: found.length > PAGE_SIZE && last ? write(last) : null };
}
