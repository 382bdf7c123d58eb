/** Reading and changing transfers: payouts to sellers and refunds to buyers (docs/states.md, "Transfers"). */
import { and, asc, eq, lte, type SQL, sql } from "drizzle-orm";
import { expectOneChange, expectThat, type Statement, UniqueViolation } from "#app/db/batch.ts";
import { build } from "#app/db/build.ts";
import type { Database, Store } from "#app/db/client.ts";
import { paymentAttempts, payouts, refunds } from "#app/payments/tables.server.ts";
import type { TransferKind, TransferMethod, WaitReason } from "#app/db/states/transfer.ts";
import { recordDiscrepancy, tryRaising } from "#app/payments/books/discrepancies.server.ts";
import type { PaymentServices } from "#app/payments/payment-services.ts";
import { nextTransferState, refundMethod, type TransferEvent } from "./transfer-rules.ts";

type PayoutRow = typeof payouts.$inferSelect;
type RefundRow = typeof refunds.$inferSelect;

/** The payment that goes back, or a part of it. */
type Payment = Pick<
  typeof paymentAttempts.$inferSelect,
  "amount" | "receipt" | "phone" | "confirmedAt" | "userId" | "subscriptionId"
>;

export type Payout = PayoutRow & { kind: "payout"; method: "b2c" };
/** `method` is null until it is first sent. */
export type Refund = RefundRow & { kind: "refund"; payment: Payment };
export type Transfer = Payout | Refund;

export interface TransferId {
  kind: TransferKind;
  id: string;
}

/** What both kinds store. */
export type TransferChanges = Partial<Pick<Transfer, keyof PayoutRow & keyof RefundRow>>;

export const TRANSFER_TABLES = { payout: payouts, refund: refunds } as const;

const MAX_RACES = 6;

function selectPayout({ db }: Pick<Store, "db">, where: SQL) {
  return db.select().from(payouts).where(where);
}

function selectRefund({ db }: Pick<Store, "db">, where: SQL) {
  const { amount, receipt, phone, confirmedAt, userId, subscriptionId } = paymentAttempts;
  return db
    .select({ refund: refunds, payment: { amount, receipt, phone, confirmedAt, userId, subscriptionId } })
    .from(refunds)
    .innerJoin(paymentAttempts, eq(paymentAttempts.id, refunds.attemptId))
    .where(where);
}

export function toPayout(payout: PayoutRow): Payout {
  return { ...payout, kind: "payout", method: "b2c" };
}

function toRefund({ refund, payment }: { refund: RefundRow; payment: Payment }): Refund {
  return { ...refund, kind: "refund", payment };
}

export async function findTransfer(store: Pick<Store, "db">, { kind, id }: TransferId): Promise<Transfer | null> {
  const [found] =
    kind === "payout"
      ? (await selectPayout(store, eq(payouts.id, id))).map(toPayout)
      : (await selectRefund(store, eq(refunds.id, id))).map(toRefund);
  return found ?? null;
}

/** The transfer with this callback token. */
export async function findTransferByToken(store: Pick<Store, "db">, token: string): Promise<Transfer | null> {
  const [payout] = await selectPayout(store, eq(payouts.callbackToken, token));
  if (payout) return toPayout(payout);
  const [refund] = await selectRefund(store, eq(refunds.callbackToken, token));
  return refund ? toRefund(refund) : null;
}

/**
 * The query for due transfers of a kind, oldest first, at most `limit`. Of those that waited for the same pause, the
 * smallest comes first: it is the one that a nearly empty account may still pay. Send it in a batch.
 */
export function dueTransfers(db: Database, kind: TransferKind, now: number, limit: number) {
  const table = TRANSFER_TABLES[kind];
  return db
    .select({ id: table.id })
    .from(table)
    .where(lte(table.nextActionAt, now))
    .orderBy(asc(table.nextActionAt), asc(table.amount))
    .limit(limit);
}

/** How it was sent, or would be. */
export function methodOf(transfer: Transfer): TransferMethod {
  return transfer.method ?? refundMethod(transfer.amount, transfer.payment);
}

/** The method, where it is stored. */
export function chosenMethod(transfer: Transfer): { method?: TransferMethod } {
  return transfer.kind === "refund" ? { method: methodOf(transfer) } : {};
}

/** Why a transfer waits, without words of M-Pesa or of an admin. */
export function waitsFor(waitReason: WaitReason) {
  return { waitReason, waitDetail: null };
}

export const WAITS_FOR_NOTHING = { waitReason: null, waitDetail: null };

/**
 * What a transfer must still have for a change, because what was read before a slow answer may be outdated. Items may
 * join a payout until it is sent, so its amount counts, too.
 */
export type SameTry = Partial<Pick<Transfer, "conversationId" | "sendCount" | "amount">>;

export function sameTry({ conversationId, sendCount, amount }: Transfer): SameTry {
  return { conversationId, sendCount, amount };
}

function isSameTry(transfer: Transfer, only: SameTry): boolean {
  return (["conversationId", "sendCount", "amount"] as const).every(
    (name) => only[name] === undefined || transfer[name] === only[name],
  );
}

/** What every change expects to be as it was read. */
const GUARDED = ["state", "conversationId", "sendCount", "lookupCount", "amount", "waitReason"] as const;

/** The update of a transfer. It aborts its batch if the transfer has changed since it was read. */
export function changeTransfer(
  transfer: Transfer,
  changes: TransferChanges & { method?: TransferMethod },
  now: number,
): Statement[] {
  const table = TRANSFER_TABLES[transfer.kind];
  const isUnchanged = GUARDED.map((name) => sql`${table[name]} IS ${transfer[name]}`);
  return [
    build
      .update(table)
      .set({ ...changes, updatedAt: now })
      .where(and(eq(table.id, transfer.id), ...isUnchanged)),
    expectOneChange(),
  ];
}

/**
 * Moves a transfer to its next state, together with the statements of that change, in one guarded batch. Returns false
 * if nothing changed.
 */
export async function moveTransfer(
  services: PaymentServices,
  { kind, id }: TransferId,
  event: TransferEvent,
  changes: TransferChanges & { method?: TransferMethod },
  { together = [], only = {} }: { together?: Statement[]; only?: SameTry } = {},
): Promise<boolean> {
  for (let race = 0; race < MAX_RACES; race += 1) {
    const transfer = await findTransfer(services, { kind, id });
    const state = transfer && nextTransferState(transfer, event);
    if (!transfer || !state || !isSameTry(transfer, only)) return false;
    const statements = [...changeTransfer(transfer, { ...changes, state }, services.now()), ...together];
    try {
      if (await tryRaising(services, statements)) {
        services.log({ event: "transfer_moved", kind, id, from: transfer.state, to: state, by: event });
        return true;
      }
    } catch (error) {
      if (!(error instanceof UniqueViolation && error.columns.endsWith(".receipt"))) throw error;
      await receiptReused(services, transfer);
      return false;
    }
    // Another worker was faster.
    if (event === "claimed" || event === "asked_again") return false;
  }
  throw new Error(`${kind} ${id} kept changing while ${event} was applied`);
}

export function receiptReused(services: PaymentServices, { kind, id }: TransferId): Promise<void> {
  return recordDiscrepancy(services, `${kind}_receipt_reused`, id, `the receipt was seen on another ${kind}`);
}

/** Retries a parked transfer (`resumeParked`). Returns false if it has changed since it was read. */
export async function retryParked(services: PaymentServices, transfer: Transfer): Promise<boolean> {
  const { kind, id } = transfer;
  if (!(await tryRaising(services, resumeParked(transfer, services.now())))) return false;
  services.log({ event: "transfer_moved", kind, id, from: "parked", to: "due", by: "retried" });
  return true;
}

/**
 * The statements that retry a parked transfer. They abort their batch if it has changed since it was read, or if an
 * admin has begun to send it by hand since then. If M-Pesa reported that it failed (`resultCode`), it gets a new
 * conversation id, because the old one is refused forever, and no earlier reversal can have worked. Otherwise it may
 * have been sent, so nothing of the earlier tries is forgotten.
 */
export function resumeParked(transfer: Transfer, now: number): Statement[] {
  const state = nextTransferState(transfer, "retried");
  if (!state) return [expectThat(sql`0`)];
  const failed = transfer.resultCode !== null;
  return changeTransfer(
    transfer,
    {
      state,
      ...WAITS_FOR_NOTHING,
      nextActionAt: now,
      resultCode: null,
      ...(failed && { conversationId: crypto.randomUUID(), providerConversationId: null, resultDesc: null }),
      // How often a reversal was asked for tells whether it may have worked before.
      ...((failed || transfer.method !== "reversal") && { lookupCount: 0 }),
    },
    now,
  );
}
