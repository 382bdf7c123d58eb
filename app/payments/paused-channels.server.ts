/** Pauses for everything that would fail for the same reason: our float is empty, or our configuration is wrong. */
import { sql } from "drizzle-orm";
import { repeatBatch } from "#app/db/batch.ts";
import { type DiscrepancyKind, recordDiscrepancy } from "./discrepancies.server.ts";
import { PAYOUT_HOLD_MS } from "./payout-rules.ts";
import type { PaymentServices } from "./payment-services.ts";

/** What pauses together. `payouts`: all transfers, to sellers and to buyers. */
export type PaymentChannel = "payouts" | "reversals";

/** The lease of each channel. While it runs, nothing of that channel is sent. */
export const CHANNEL_LEASES = {
  payouts: "payouts_hold",
  reversals: "reversals_hold",
} as const satisfies Record<PaymentChannel, string>;

const DISCREPANCIES: Record<PaymentChannel, DiscrepancyKind> = {
  payouts: "payouts_stopped",
  reversals: "reversals_stopped",
};

/** Pauses a channel for a while and tells our team. `code` and `message` are M-Pesa's own. */
export async function pauseChannel(
  services: PaymentServices,
  channel: PaymentChannel,
  { code, message }: { code: string; message: string },
): Promise<void> {
  const until = services.now() + PAYOUT_HOLD_MS;
  await repeatBatch(services.db, [
    sql`INSERT INTO leases (name, until) VALUES (${CHANNEL_LEASES[channel]}, ${until}) ON CONFLICT (name) DO UPDATE SET until = excluded.until`,
  ]);
  await recordDiscrepancy(services, DISCREPANCIES[channel], code, message);
}
