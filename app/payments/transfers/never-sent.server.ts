import { payoutRow } from "#app/payments/table-rows.server.ts";
import { eq, type SQL, sql } from "drizzle-orm";
import { hasRow } from "#app/db/build.ts";
import { payouts, receiptChecks } from "#app/payments/tables.server.ts";
import { stateIs } from "#app/db/state-is.ts";
import { TRANSFER, type WaitReason } from "#app/db/states/transfer.ts";

/**
 * SQL: a payout (alias `payout`) was never sent, neither by us nor, as far as we know, by hand. Its money can be held
 * again. Once a receipt was entered for it, the money may be gone, whatever M-Pesa says about the receipt.
 */
export function neverSent(payout: "payouts" | "payout_row"): SQL {
  const { id, state, sendCount, waitReason } = payout === "payout_row" ? payoutRow : payouts;
  return sql`${sendCount} = 0 AND ${stateIs(state, TRANSFER.isUnsent)}
    AND ${waitReason} IS NOT ${"sending_by_hand" satisfies WaitReason}
    AND NOT ${hasRow(receiptChecks, eq(receiptChecks.payoutId, id))}`;
}
