import { and, eq, inArray, isNull, or, type SQL, sql } from "drizzle-orm";
import { hasRow } from "#app/db/build.ts";
import { discrepancies, refunds } from "#app/payments/tables.server.ts";
import { stateIs } from "#app/db/state-is.ts";
import type { RefundPlace } from "#app/db/states/refund.ts";
import { TRANSFER, type WaitReason } from "#app/db/states/transfer.ts";

/** What pauses all refunds: the first one has the cause, and those behind it wait for the pause. */
const PAUSES = ["our_float", "our_configuration", "channel_paused"] as const satisfies WaitReason[];

/**
 * SQL: the refund can't be sent now. Our team must first mend something, or all refunds pause. Its buyer then doesn't
 * read that the money is on its way.
 */
export function isRefundDelayed(): SQL | undefined {
  const pauses = and(stateIs(refunds.state, TRANSFER.isDue), inArray(refunds.waitReason, PAUSES));
  return or(stateIs(refunds.state, TRANSFER.isParked), pauses);
}

/** SQL: where the refund is (`RefundPlace`). */
export function refundPlace(): SQL<RefundPlace> {
  const isAsked = hasRow(
    discrepancies,
    and(
      eq(discrepancies.kind, "refund_already_reversed"),
      eq(discrepancies.subject, refunds.id),
      isNull(discrepancies.resolvedAt),
    ),
  );
  return sql`CASE WHEN ${isRefundDelayed()} THEN 'delayed'
    WHEN ${and(stateIs(refunds.state, TRANSFER.isDone), isAsked)} THEN 'in_question' ELSE ${refunds.state} END`;
}
