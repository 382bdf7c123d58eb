import { type SQL, sql } from "drizzle-orm";
import { stateIs } from "./state-is.ts";
import { PAYOUT } from "./states/payout.ts";

/**
 * SQL: a payout (alias `payout`) was never sent, neither by us nor, as far as we know, by hand. Its money can be held again. Once
 * a receipt was entered for it, the money may be gone, whatever M-Pesa says about the receipt.
 */
export function neverSent(payout: "payouts" | "y"): SQL {
  const column = (name: string) => `${payout}.${name}`;
  return sql`${sql.raw(column("send_count"))} = 0 AND ${stateIs(column("state"), PAYOUT.isUnsent)} AND ${sql.raw(column("reason_code"))} IS NOT 'sending_by_hand'
    AND NOT EXISTS (SELECT 1 FROM transfer_checks h WHERE h.payout_id = ${sql.raw(column("id"))})`;
}
