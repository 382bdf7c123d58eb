/** What is special about payouts among the transfers. */
import { and, count, eq, exists, gt, isNull, type SQL, sql } from "drizzle-orm";
import { partyJson, readParty } from "#app/accounts/party.server.ts";
import { readPhone } from "#app/accounts/profile/phone.ts";
import { expectThat, type Statement } from "#app/db/batch.ts";
import { asBoolean, build, hasRow } from "#app/db/build.ts";
import { neverSent } from "./never-sent.server.ts";
import { credentials, profiles } from "#app/accounts/tables.server.ts";
import { payoutItems, payouts } from "#app/payments/tables.server.ts";
import type { WaitReason } from "#app/db/states/transfer.ts";
import { decidedReportsOf } from "#app/payments/reports-stop-money.server.ts";
import { formatKes } from "#app/ui/money.ts";
import { bookPayout, hasReportedItem, hasUnconfirmedItem } from "./item-money.server.ts";
import { pauseOf } from "./paused-channels.server.ts";
import type { Kind } from "./transfer-kinds.server.ts";
import { CONDITION_PAUSE_MS, refuseTransferAmount } from "./transfer-rules.ts";
import type { Payout } from "./transfers.server.ts";

/** SQL: how many items a payout pays for. */
export const itemsOfPayout = sql<number>`(${build
  .select({ items: count() })
  .from(payoutItems)
  .where(eq(payoutItems.payoutId, payouts.id))})`;

/** SQL: a seller's money may go to this number. It is asked again in the batch that sends it. */
function maySendTo(sellerId: string, { phone, now }: { phone: string; now: number }): SQL {
  const isFree = sql`NOT COALESCE(${gt(profiles.payoutsHeldUntil, now)}, 0)`;
  return sql`(${hasRow(profiles, and(eq(profiles.id, sellerId), eq(profiles.phone, phone), isFree))}
    AND ${hasRow(credentials, and(eq(credentials.id, sellerId), isNull(credentials.takenBackAt)))})`;
}

/** Payouts of a seller that wait for the number are looked at again, because somebody took the account back. */
export function lookAgainAtNumber(sellerId: string, now: number): Statement {
  return build
    .update(payouts)
    .set({ nextActionAt: now })
    .where(and(eq(payouts.sellerId, sellerId), eq(payouts.state, "due"), eq(payouts.waitReason, "number_changed")));
}

/** The seller gets the money, for the items in `payout_items`. */
export const PAYOUT: Kind<Payout> = {
  async checkReadiness({ db, now }, payout) {
    const [row] = await db
      .select({
        phone: profiles.phone,
        pausedUntil: sql<number | null>`(${pauseOf(db, "b2c")})`,
        numberHeldUntil: profiles.payoutsHeldUntil,
        takenBackAt: credentials.takenBackAt,
        isUnconfirmed: sql`${hasUnconfirmedItem(payouts.id)}`.mapWith(Boolean),
        isReported: sql`${hasReportedItem(payouts.id)}`.mapWith(Boolean),
        isDecided: asBoolean(sql`(NOT (${neverSent("payouts")}) AND ${exists(decidedReportsOf(payout.id))})`),
        items: itemsOfPayout,
      })
      .from(payouts)
      .leftJoin(profiles, eq(profiles.id, payouts.sellerId))
      .leftJoin(credentials, eq(credentials.id, payouts.sellerId))
      .where(eq(payouts.id, payout.id));
    if (!row) return { kind: "waits", reason: "payment_unconfirmed", until: now() + CONDITION_PAUSE_MS };
    const phone = readPhone(row.phone ?? "");
    const refusal = refuseTransferAmount("b2c", payout.amount) ?? (row.phone ? null : "no_phone");
    if (refusal !== null) return { kind: "blocked", reason: refusal };
    if (!phone.ok) return { kind: "blocked", reason: "unreadable_phone" };
    const waits = (reason: WaitReason, until = now() + CONDITION_PAUSE_MS) =>
      ({ kind: "waits", reason, until }) as const;
    if ((row.pausedUntil ?? 0) > now()) return waits("channel_paused", row.pausedUntil ?? 0);
    if (row.takenBackAt !== null) return waits("password_awaited");
    if ((row.numberHeldUntil ?? 0) > now()) return waits("number_changed", row.numberHeldUntil ?? 0);
    // The clock takes back what was never sent. For the rest of a decided case nobody is left but our team, who must
    // see it.
    if (row.isReported) return row.isDecided ? { kind: "blocked", reason: "reported" } : waits("reported");
    if (row.isUnconfirmed) return waits("payment_unconfirmed");
    return {
      kind: "ready",
      phone: phone.phone,
      remarks: row.items === 1 ? `Chuoni ${payout.orderItemId.slice(0, 8)}` : `Chuoni ${row.items} items`,
      guard: [
        expectThat(sql`NOT ${PAYOUT.isStopped(payout.id)}`),
        expectThat(maySendTo(payout.sellerId, { phone: row.phone ?? "", now: now() })),
      ],
    };
  },
  isStopped: (id) => hasReportedItem(sql`${id}`),
  async findReceiver({ db }, { id }) {
    const [row] = await db
      .select({ seller: partyJson(sql`${payouts.sellerId}`).mapWith(readParty), items: itemsOfPayout })
      .from(payouts)
      .where(eq(payouts.id, id));
    return row ? { ...row.seller, items: row.items } : null;
  },
  receiverId: ({ sellerId }) => sellerId,
  whenParked: ({ id, orderItemId, amount, sendCount }, { items }, { waitReason, reason }) => ({
    // Again where it was sent again, or something else stops it now.
    key: `payout_parked:${id}:${sendCount}:${waitReason}`,
    told: { kind: "payout_parked", data: { orderItemId, items, amount, reason } },
  }),
  parkedEvent: ({ orderItemId }, isNews) => ({
    type: "payout",
    orderItemId,
    ...(isNews && { notice: "A payout needs attention" }),
    shownOn: `/seller/orders/${orderItemId}`,
  }),
  tellDone: ({ orderItemId, amount }, { items }, receipt) => ({
    kind: "payout_sent",
    data: { orderItemId, items, amount, receipt: receipt ?? "" },
  }),
  doneEvent: ({ orderItemId, amount }) => ({
    type: "payout",
    orderItemId,
    notice: `${formatKes(amount)} is on your M-Pesa`,
    shownOn: `/seller/orders/${orderItemId}`,
  }),
  whenDone: ({ id }, now) => bookPayout(id, now),
};
