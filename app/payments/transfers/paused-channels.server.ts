/** Pauses for everything that would fail for the same reason: our float is empty, or our configuration is wrong. */
import { and, desc, eq, gt, inArray, not, type SQL, sql } from "drizzle-orm";
import { expectThat, type Statement } from "#app/db/batch.ts";
import { build, hasRow } from "#app/db/build.ts";
import type { Database } from "#app/db/client.ts";
import { leases } from "#app/db/tables.server.ts";
import type { TransferMethod, WaitReason } from "#app/db/states/transfer.ts";
import {
  type DiscrepancyKind,
  hasOpen,
  raiseDiscrepancy,
  runRaising,
} from "#app/payments/books/discrepancies.server.ts";
import type { PaymentServices } from "#app/payments/payment-services.ts";
import { channelPause, CONFIGURATION_PAUSE_MS, TRIAL_MS } from "./transfer-rules.ts";

/**
 * What pauses the transfers of each method together. All that go to a number leave the same account. Reversals need
 * another account and another role. While one of the leases runs, nothing is sent: `lease` is the pause, and `trial`
 * that of the one transfer that is tried after it.
 */
const CHANNELS = {
  b2c: { lease: "payouts_hold", trial: "payouts_trial", told: "payouts_stopped" },
  reversal: { lease: "reversals_hold", trial: "reversals_trial", told: "reversals_stopped" },
} as const satisfies Record<TransferMethod, { lease: string; trial: string; told: DiscrepancyKind }>;

/** The names of the leases that pause channels. */
export const CHANNEL_LEASES = Object.values(CHANNELS).map(({ lease }) => lease);

function isOf(method: TransferMethod): SQL {
  const { lease, trial } = CHANNELS[method];
  return inArray(leases.name, [lease, trial]);
}

/** The query for the end of the pause of a method's channel, or of a trial in it, ms since 1970. */
export function pauseOf(db: Database, method: TransferMethod) {
  return db.select({ until: leases.until }).from(leases).where(isOf(method)).orderBy(desc(leases.until)).limit(1);
}

/**
 * Statements for the claim of a transfer, which they abort while its channel is paused. Until M-Pesa has made a
 * transfer after a stop, each claim takes the trial's lease, so that one transfer alone tries whether the cause is
 * gone: too many wrong passwords lock our initiator.
 */
export function takeTurn(method: TransferMethod, now: number): Statement[] {
  const { trial, told } = CHANNELS[method];
  const until = now + TRIAL_MS;
  return [
    expectThat(not(hasRow(leases, and(isOf(method), gt(leases.until, now))))),
    build
      .insert(leases)
      .select(sql`SELECT ${trial}, ${until} WHERE ${hasOpen(told)}`)
      .onConflictDoUpdate({ target: leases.name, set: { until } }),
  ];
}

/** The lease of look-ups, which use the same password as transfers. While it runs after a wrong one, none is asked. */
const LOOKUPS_LEASE = "lookups_hold";

const isStopped = sql`(${hasOpen("payouts_stopped")} OR ${hasOpen("reversals_stopped")})`;
const lookupsWait = and(eq(leases.name, LOOKUPS_LEASE), isStopped);

/** When look-ups may go on, ms since 1970; null when they needn't wait. */
export async function lookupsWaitUntil({ db, now }: Pick<PaymentServices, "db" | "now">): Promise<number | null> {
  const [lease] = await db
    .select({ until: leases.until })
    .from(leases)
    .where(and(lookupsWait, gt(leases.until, now())));
  return lease?.until ?? null;
}

/**
 * Statements for a look-up, as `takeTurn`: until M-Pesa has made a transfer after a wrong password, one is asked an
 * hour.
 */
export function takeLookupTurn(now: number): Statement[] {
  return [
    expectThat(not(hasRow(leases, and(lookupsWait, gt(leases.until, now))))),
    build
      .update(leases)
      .set({ until: now + CONFIGURATION_PAUSE_MS })
      .where(lookupsWait),
  ];
}

/** The statement that ends a method's pause, because an admin has mended the cause: one transfer is tried at once. */
export function endPause(method: TransferMethod, now: number): Statement {
  return build
    .update(leases)
    .set({ until: now })
    .where(and(eq(leases.name, CHANNELS[method].lease), gt(leases.until, now)));
}

/** Pauses a method's channel for a while and tells our team. `code` and `message` are M-Pesa's own. */
export async function pauseChannel(
  services: PaymentServices,
  method: TransferMethod,
  { code, message, reason }: { code: string; message: string; reason: WaitReason },
): Promise<void> {
  const { lease, trial, told } = CHANNELS[method];
  const now = services.now();
  const until = now + channelPause(reason);
  const paused = [
    { name: lease, until },
    // A trial that failed is over.
    { name: trial, until: now },
    ...(reason === "our_configuration" ? [{ name: LOOKUPS_LEASE, until }] : []),
  ];
  // One batch, because what is open says that one transfer alone is tried after the pause.
  await runRaising(services, [
    // What an earlier stop left says nothing about this one.
    build.delete(leases).where(and(eq(leases.name, LOOKUPS_LEASE), not(isStopped))),
    ...paused.map((row) =>
      build
        .insert(leases)
        .values(row)
        .onConflictDoUpdate({ target: leases.name, set: { until: row.until } }),
    ),
    ...raiseDiscrepancy(told, code, message, now),
  ]);
}
