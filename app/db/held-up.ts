import { and, eq, or, type SQL } from "drizzle-orm";
import { refunds } from "./schema.ts";
import { stateIs } from "./state-is.ts";
import { TRANSFER } from "./states/transfer.ts";

/**
 * SQL: the refund can't be sent now. Our team must first mend something, or our account is empty and refunds pause. Its buyer
 * then doesn't read that the money is on its way.
 */
export function isRefundHeldUp(): SQL | undefined {
  const pauses = and(stateIs(refunds.state, TRANSFER.isDue), eq(refunds.waitReason, "channel_paused"));
  return or(stateIs(refunds.state, TRANSFER.isParked), pauses);
}
