/** What admins do about payouts and refunds that M-Pesa didn't make: try again, or send by hand (docs/operating.md). */
import { and, eq, inArray, not, type SQL, sql } from "drizzle-orm";
import { maskPhone } from "#app/accounts/profile/phone.ts";
import { expectThat, holds, type Statement } from "#app/db/batch.ts";
import { build, hasRow, named } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import { moderationCases, reports } from "#app/moderation/tables.server.ts";
import { stateIs } from "#app/db/state-is.ts";
import { TRANSFER } from "#app/db/states/transfer.ts";
import { notifyEach } from "#app/notifications/notify.server.ts";
import { raiseDiscrepancy, resolveDiscrepancies } from "#app/payments/books/discrepancies.server.ts";
import { liftDecidedReportsOf, liftedReportsOf } from "#app/payments/reports-stop-money.server.ts";
import type { PaymentServices } from "#app/payments/payment-services.ts";
import { waitText } from "#app/payments/payment-texts.ts";
import { askAboutReceipt, dismissChecks } from "#app/payments/receipt-checks.server.ts";
import { hasNoPhone, numberByHand, openTransferCheck } from "#app/payments/transfers/transfer-checks.server.ts";
import { endPause } from "#app/payments/transfers/paused-channels.server.ts";
import { TRANSFER_RULES } from "#app/payments/transfers/transfer-kinds.server.ts";
import { canReserve, isReserved, nextTransferState, SENDING_BY_HAND } from "#app/payments/transfers/transfer-rules.ts";
import {
  changeTransfer,
  findTransfer,
  methodOf,
  resumeParked,
  type Transfer,
  TRANSFER_TABLES,
  type TransferId,
  waitsFor,
} from "#app/payments/transfers/transfers.server.ts";
import { freedJson, retryFrees, TRANSFER_MOVES } from "#app/moderation/second-admin/act-moves.server.ts";
import { performAdminAction, type Admin } from "#app/team/perform-act.server.ts";
import { performOrPropose, type ProposableAct } from "#app/moderation/second-admin/propose-act.server.ts";
import { isReceiptUsed, type ReceiptResult } from "./used-receipts.server.ts";

function transferAct(
  what: "retried" | "recorded",
  { kind, id }: TransferId,
  input: ProposableAct["input"],
): ProposableAct {
  const act = `${kind}_${what}` as const;
  return { act, subject: `${kind}:${id}`, moves: TRANSFER_MOVES[act](id), input };
}

/**
 * Tries a parked transfer again (`resumeParked`), also while its channel is paused, and resolves its discrepancies.
 * `reserved`: the admin takes back that it is sent by hand. A page from before the reservation doesn't say so, and is
 * refused. A report in a decided case no longer stops it, or else nothing would ever let it go. Returns the transfer;
 * null if it is no longer parked, or was reserved or taken back since; "proposed" if a second admin must confirm it.
 */
export async function retryTransfer(
  store: Store,
  admin: Admin,
  id: TransferId,
  { reserved = false } = {},
): Promise<Transfer | "proposed" | null> {
  const transfer = await findTransfer(store, id);
  if (transfer?.state !== "parked" || isReserved(transfer) !== reserved) return null;
  const now = store.now();
  const done = await performOrPropose(store, admin, transferAct("retried", id, { reserved }), null, [
    ...resumeParked(transfer, now),
    endPause(methodOf(transfer), now),
    dismissChecks(id),
    ...(id.kind === "payout" ? liftAndTell(id.id, now) : []),
    resolveDiscrepancies([`${id.kind}_parked`], id.id, "tried again", now, admin.id),
  ]);
  return done === "proposed" ? done : done === "done" ? transfer : null;
}

/**
 * A retry of this payout lifts the reports in decided cases that stop it, and then tells their buyers how their case
 * was decided, and which money that lets go.
 */
function liftAndTell(payoutId: string, now: number): Statement[] {
  const freed = freedJson(retryFrees(payoutId, now), reports.reporterId);
  const readers = build
    .select({
      ...named({ userId: reports.reporterId }),
      key: sql`'case_outcome:' || ${reports.caseId} || ${`:${now}:`} || ${reports.reporterId}`.as("key"),
      data: sql`json_object('subject', ${moderationCases.subject}, 'decision', ${moderationCases.decision},
        'freed', json(${freed}))`.as("data"),
    })
    .from(reports)
    .innerJoin(moderationCases, eq(moderationCases.id, reports.caseId))
    .where(inArray(reports.id, liftedReportsOf(payoutId, now)));
  return [liftDecidedReportsOf(payoutId, now), ...notifyEach("case_outcome", readers.getSQL(), now)];
}

/**
 * Parks a payout that is due. One that was sent, or whose result is unknown, can't be parked. The seller sees `reason`.
 * Returns false if the payout is no longer due.
 */
export async function parkDuePayout(store: Store, admin: Admin, id: string, reason: string): Promise<boolean> {
  const payout = await findTransfer(store, { kind: "payout", id });
  const state = payout?.state === "due" ? nextTransferState(payout, "blocked") : null;
  if (!payout || !state) return false;
  const parked = { state, waitReason: "parked_by_admin", waitDetail: reason, nextActionAt: null } as const;
  return performAdminAction(
    store,
    admin,
    { action: "payout_parked", subject: `payout:${id}`, detail: reason },
    changeTransfer(payout, parked, store.now()),
  );
}

/**
 * Reserves a transfer for an admin who sends it by hand: from now on neither a seller nor a job sends it, asks for it
 * again or looks it up. It is for transfers that M-Pesa can't make, or never answers. It stores the number that it goes
 * to, which this admin reads in full. Returns false if `canReserve` says no, "reported" if a report stops it,
 * "number_changed" if payouts to the seller's number wait, and "no_number" if a seller has none.
 */
export async function reserveTransfer(
  store: Store,
  admin: Admin,
  id: TransferId,
): Promise<boolean | "reported" | "number_changed" | "no_number"> {
  const transfer = await findTransfer(store, id);
  const state = transfer && nextTransferState(transfer, "reserved");
  if (!transfer || !state || !canReserve(transfer)) return false;
  const isStopped = TRANSFER_RULES[id.kind].isStopped(id.id);
  if (await holds(store.db, isStopped)) return "reported";
  const to = await numberByHand(store, transfer);
  if (to === "number_changed") return to;
  if (to.phone === null && id.kind === "payout") return "no_number";
  const now = store.now();
  const reserved = { state, ...waitsFor(SENDING_BY_HAND), phone: to.phone, nextActionAt: null };
  const told = waitText(id.kind, reserved) ?? "";
  const detail = to.phone === null ? "no number is known" : `read the number ${maskPhone(to.phone)}`;
  return performAdminAction(store, admin, { action: `${id.kind}_reserved`, subject: `${id.kind}:${id.id}`, detail }, [
    expectThat(not(isStopped)),
    ...changeTransfer(transfer, reserved, now),
    // It stays listed until the receipt is entered, so that a forgotten one is found.
    ...raiseDiscrepancy(`${id.kind}_parked`, id.id, told, now),
  ]);
}

/**
 * sent_twice: M-Pesa had sent the transfer, too; a discrepancy says so. proposed: a second admin must confirm it.
 * unreachable: M-Pesa couldn't be asked; the admin may try again.
 */
type TransferResult = ReceiptResult | { ok: false; code: "sent_twice" | "proposed" | "unreachable" };

/**
 * An admin has sent a reserved transfer by hand: asks M-Pesa about its receipt. The transfer counts as done, and
 * whoever gets it is told, once M-Pesa has confirmed it (`transfer-checks.server.ts`). If M-Pesa reports that it sent
 * the transfer, before or after, a discrepancy says that it was paid twice. A report of the buyer that came since the
 * reservation doesn't refuse the receipt, because the books must say what has left. Safe to repeat, also with another
 * receipt.
 */
export async function recordTransfer(
  services: PaymentServices,
  admin: Admin,
  id: TransferId,
  receipt: string,
): Promise<TransferResult> {
  const transfer = await findTransfer(services, id);
  const wasSent = transfer?.state === "done" && transfer.receipt !== receipt;
  if (!transfer || !(wasSent || isReserved(transfer))) return { ok: false, code: "stale" };
  const isUsed = isReceiptUsed(receipt, id.id, services.now());
  if (await holds(services.db, isUsed)) return { ok: false, code: "used" };
  if (wasSent) {
    const twice = `sent as ${transfer.receipt ?? "an unknown receipt"} and again by hand as ${receipt}`;
    const told = await performAdminAction(
      services,
      admin,
      { action: `${id.kind}_paid_twice`, subject: `${id.kind}:${id.id}`, detail: receipt },
      raiseDiscrepancy(`${id.kind}_paid_twice`, id.id, twice, services.now()),
    );
    return { ok: false, code: told ? "sent_twice" : "stale" };
  }
  const check = openTransferCheck({ transfer: id, receipt, askedBy: admin.id }, services.now());
  const act = { ...transferAct("recorded", id, { receipt }), needsTwo: hasNoPhone(id) };
  const done = await performOrPropose(services, admin, act, receipt, [
    expectThat(not(isUsed)),
    expectThat(isStillReserved(id)),
    ...check.statements,
  ]);
  if (done !== "done") return { ok: false, code: done };
  return (await askAboutReceipt(services, { receipt, token: check.token, account: "payouts" }))
    ? { ok: true }
    : { ok: false, code: "unreachable" };
}

function isStillReserved({ kind, id }: TransferId): SQL {
  const table = TRANSFER_TABLES[kind];
  const isByHand = and(stateIs(table.state, TRANSFER.isParked), eq(table.waitReason, SENDING_BY_HAND));
  return hasRow(table, and(eq(table.id, id), isByHand));
}
