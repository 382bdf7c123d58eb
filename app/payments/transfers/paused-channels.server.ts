/** Pauses for everything that would fail for the same reason: our float is empty, or our configuration is wrong. */
import { eq } from "drizzle-orm";
import { repeatBatch } from "#app/db/batch.ts";
import { build } from "#app/db/build.ts";
import type { Database } from "#app/db/client.ts";
import { leases } from "#app/db/schema.ts";
import type { TransferMethod } from "#app/db/states/transfer.ts";
import { type DiscrepancyKind, recordDiscrepancy } from "#app/payments/books/discrepancies.server.ts";
import type { PaymentServices } from "#app/payments/payment-services.ts";
import { CHANNEL_PAUSE_MS } from "./transfer-rules.ts";

/**
 * What pauses the transfers of each method together. All that go to a number leave the same account. Reversals need another
 * account and another role. While the lease runs, nothing is sent.
 */
const CHANNELS = {
  b2c: { lease: "payouts_hold", told: "payouts_stopped" },
  reversal: { lease: "reversals_hold", told: "reversals_stopped" },
} as const satisfies Record<TransferMethod, { lease: string; told: DiscrepancyKind }>;

/** The names of the leases that pause channels. */
export const CHANNEL_LEASES = Object.values(CHANNELS).map(({ lease }) => lease);

/** The query for the end of the pause of a method's channel, ms since 1970. */
export function pauseOf(db: Database, method: TransferMethod) {
  return db.select({ until: leases.until }).from(leases).where(eq(leases.name, CHANNELS[method].lease));
}

/** Pauses a method's channel for a while and tells our team. `code` and `message` are M-Pesa's own. */
export async function pauseChannel(
  services: PaymentServices,
  method: TransferMethod,
  { code, message }: { code: string; message: string },
): Promise<void> {
  const { lease, told } = CHANNELS[method];
  const until = services.now() + CHANNEL_PAUSE_MS;
  await repeatBatch(services.db, [
    build.insert(leases).values({ name: lease, until }).onConflictDoUpdate({ target: leases.name, set: { until } }),
  ]);
  await recordDiscrepancy(services, told, code, message);
}
