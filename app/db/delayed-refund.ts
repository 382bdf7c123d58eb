import { and, inArray, or, type SQL } from "drizzle-orm";
import { refunds } from "./schema.ts";
import { stateIs } from "./state-is.ts";
import { TRANSFER, type WaitReason } from "./states/transfer.ts";

/** What pauses all refunds: the first one has the cause, and those behind it wait for the pause. */
const PAUSES = ["our_float", "our_configuration", "channel_paused"] as const satisfies WaitReason[];

/**
 * SQL: the refund can't be sent now. Our team must first mend something, or all refunds pause. Its buyer then doesn't read that
 * the money is on its way.
 */
export function isRefundDelayed(): SQL | undefined {
  const pauses = and(stateIs(refunds.state, TRANSFER.isDue), inArray(refunds.waitReason, PAUSES));
  return or(stateIs(refunds.state, TRANSFER.isParked), pauses);
}
