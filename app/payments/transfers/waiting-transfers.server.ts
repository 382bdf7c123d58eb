import { and, isNotNull, min, notInArray, or, type SQL, sql } from "drizzle-orm";
import { build } from "#app/db/build.ts";
import type { payouts, refunds } from "#app/payments/tables.server.ts";
import { stateIs } from "#app/db/state-is.ts";
import { TRANSFER } from "#app/db/states/transfer.ts";
import { ORDINARY_WAITS } from "./transfer-rules.ts";

type Transfers = typeof payouts | typeof refunds;

/**
 * SQL: somebody waits for this money and is told why, and our rules don't say that they should: it is parked, or
 * something holds it up.
 */
function isWaiting({ state, waitReason }: Transfers): SQL {
  const isHeldUp = and(isNotNull(waitReason), notInArray(waitReason, ORDINARY_WAITS));
  return sql`(${stateIs(state, TRANSFER.isOpen)} AND ${or(stateIs(state, TRANSFER.isParked), isHeldUp)})`;
}

/** SQL: how many payouts or refunds wait. */
export function waitingTransfers(table: Transfers): SQL<number> {
  return build.$count(table, isWaiting(table));
}

/** SQL: since when the oldest of them is owed, ms since 1970; null where none waits. */
export function oldestTransfer(table: Transfers): SQL<number | null> {
  return sql<number | null>`(${build
    .select({ at: min(table.createdAt) })
    .from(table)
    .where(isWaiting(table))})`;
}
