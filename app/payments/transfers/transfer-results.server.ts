/** What M-Pesa's callbacks say about transfers: results, answers to look-ups, and time-outs. */
import { and, eq, gte, isNull } from "drizzle-orm";
import { UniqueViolation, write } from "#app/db/batch.ts";
import { build } from "#app/db/build.ts";
import { paymentCallbacks } from "#app/payments/tables.server.ts";
import type { CallbackOutcome } from "#app/db/states/callback.ts";
import { recordDiscrepancy, resolveDiscrepancies } from "#app/payments/books/discrepancies.server.ts";
import { completeTransfer, parkTransfer } from "./end-transfer.server.ts";
import type { AmountCents, PayoutReport, ReversalReport } from "#app/payments/gateway.ts";
import { pauseChannel } from "./paused-channels.server.ts";
import type { PaymentServices } from "#app/payments/payment-services.ts";
import { applyReversalBefore, wordsOf } from "./send-transfer.server.ts";
import { channelPause, lookupDelay, LOOKUPS_BEFORE_PARKING, waitsForUs } from "./transfer-rules.ts";
import {
  findTransfer,
  methodOf,
  moveTransfer,
  receiptReused,
  type SameTry,
  sameTry,
  type Transfer,
  TRANSFER_TABLES,
  waitsFor,
} from "./transfers.server.ts";

/** Applies the result of a transfer to a number, or the answer to its look-up. */
export async function applyTransferReport(
  services: PaymentServices,
  transfer: Transfer,
  { conversationId, outcome, amountCents }: PayoutReport,
): Promise<CallbackOutcome> {
  // An earlier conversation id of the transfer. If it was sent under that id, it is sent twice.
  if (conversationId !== null && conversationId !== transfer.conversationId) {
    const sent = outcome.kind === "done" ? `, and says that it was sent as ${outcome.receipt}` : "";
    return foreignResult(services, transfer, `the result names another conversation${sent}`);
  }
  switch (outcome.kind) {
    case "done":
      return applySuccess(services, transfer, outcome.receipt, amountCents);
    case "failed":
      // A failure frees the conversation id, so it must name the id that failed. A look-up's answer may belong to an
      // earlier one.
      return conversationId === null ? "undecided" : applyFailure(services, transfer, outcome, { conversationId });
    case "not_found": {
      // It may have been sent, and nobody knows how long M-Pesa refuses a second transfer under one id. So a person
      // looks for it in M-Pesa's portal before it is sent again.
      // One answer may be delivered more than once, so as many look-ups must have been asked, too.
      const answers = Math.min((await answersWithoutRecord(services, transfer)) + 1, transfer.lookupCount);
      if (answers < LOOKUPS_BEFORE_PARKING) return "no_record";
      const only = { conversationId: transfer.conversationId };
      const parked = await parkTransfer(services, transfer, waitsFor("no_record"), only, "not_found");
      return parked ? "parked" : "unchanged";
    }
    case "pending":
    case "unknown":
      return "undecided";
  }
}

/** How many earlier look-ups M-Pesa has answered without a record since the transfer was last sent. */
function answersWithoutRecord({ db }: PaymentServices, { callbackToken, sentAt }: Transfer): Promise<number> {
  const { token, outcome, receivedAt } = paymentCallbacks;
  const isOfThisTry = and(eq(token, callbackToken), gte(receivedAt, sentAt ?? 0));
  return db.$count(paymentCallbacks, and(isOfThisTry, eq(outcome, "no_record")));
}

/** Applies the result of a reversal. */
export async function applyReversalReport(
  services: PaymentServices,
  transfer: Transfer,
  { outcome, originalReceipt, providerConversationId, amountCents }: ReversalReport,
): Promise<CallbackOutcome> {
  // An admin who sent it by hand, from the payout account, may have been faster than a reversal.
  const isByHand = transfer.doneBy !== null;
  if (transfer.kind !== "refund" || (transfer.method !== "reversal" && !isByHand))
    return foreignResult(services, transfer, "a reversal was not asked for");
  if (originalReceipt !== null && originalReceipt !== transfer.payment.receipt)
    return foreignResult(services, transfer, `the result names the payment ${originalReceipt}`);
  switch (outcome.kind) {
    case "done":
      return applySuccess(services, transfer, outcome.receipt, amountCents);
    case "already_reversed":
      if (isByHand) return paidTwice(services, transfer, "and the payment was reversed, too");
      return (await applyReversalBefore(services, transfer)) ? "done" : "unchanged";
    case "failed": {
      // A failure of an earlier request says nothing about the last one.
      const isLast =
        transfer.providerConversationId === null
          ? transfer.sendCount === 1
          : transfer.providerConversationId === providerConversationId;
      return isLast ? applyFailure(services, transfer, outcome, sameTry(transfer)) : "undecided";
    }
    case "unknown":
      return "undecided";
  }
}

/** The time-out URL was called, so the result may never come. */
export async function transferResultLost(services: PaymentServices, transfer: Transfer): Promise<CallbackOutcome> {
  const lost = { ...waitsFor("queue_timed_out"), nextActionAt: services.now() + lookupDelay(0) };
  return (await moveTransfer(services, transfer, "lost", lost)) ? "in_doubt" : "unchanged";
}

async function foreignResult(services: PaymentServices, { id }: Transfer, detail: string): Promise<CallbackOutcome> {
  await recordDiscrepancy(services, "callback_foreign_id", id, detail);
  return "foreign_id";
}

async function applyFailure(
  services: PaymentServices,
  transfer: Transfer,
  outcome: Extract<(PayoutReport | ReversalReport)["outcome"], { kind: "failed" }>,
  only: SameTry,
): Promise<CallbackOutcome> {
  if (outcome.pausesChannel) await pauseChannel(services, methodOf(transfer), outcome);
  const details = {
    resultCode: outcome.code,
    resultDesc: outcome.message.slice(0, 300),
    waitReason: outcome.reason,
    waitDetail: wordsOf(outcome),
    nextActionAt: waitsForUs(outcome.reason) ? services.now() + channelPause(outcome.reason) : null,
  };
  return (await parkTransfer(services, transfer, details, only)) ? "parked" : "unchanged";
}

/** M-Pesa sent the money. `amountCents`: as it reports. */
async function applySuccess(
  services: PaymentServices,
  transfer: Transfer,
  receipt: string,
  amountCents: AmountCents,
): Promise<CallbackOutcome> {
  const { kind, id, amount } = transfer;
  if (amountCents !== null && amountCents !== amount * 100) {
    const reported = amountCents === "unreadable" ? "an amount that cannot be read" : `KES ${amountCents / 100}`;
    await recordDiscrepancy(services, `${kind}_amount`, id, `M-Pesa says ${reported}, the ${kind} is KES ${amount}`);
  }
  if (transfer.state === "done") return fillInReceipt(services, transfer, receipt);
  if (await completeTransfer(services, transfer, receipt)) return "done";
  // Another result was faster. Its receipt may differ.
  const now = await findTransfer(services, transfer);
  return now?.state === "done" ? fillInReceipt(services, now, receipt) : "unchanged";
}

async function paidTwice(services: PaymentServices, transfer: Transfer, again: string): Promise<CallbackOutcome> {
  const { kind, id, receipt, doneBy } = transfer;
  await recordDiscrepancy(services, `${kind}_paid_twice`, id, `sent as ${receipt}${doneBy ? " by hand" : ""} ${again}`);
  return "unchanged";
}

/** A success of a transfer that is done already: it brings the receipt that was missing, or it is a second one. */
async function fillInReceipt(services: PaymentServices, transfer: Transfer, receipt: string): Promise<CallbackOutcome> {
  const { kind, id } = transfer;
  if (transfer.receipt === receipt) return "unchanged";
  if (transfer.receipt !== null) return paidTwice(services, transfer, `and again as ${receipt}`);
  const table = TRANSFER_TABLES[kind];
  const now = services.now();
  try {
    const { filled } = await write(services.db, {
      filled: build
        .update(table)
        .set({ receipt, updatedAt: now })
        .where(and(eq(table.id, id), isNull(table.receipt))),
      resolveDiscrepancies: resolveDiscrepancies(["refund_already_reversed"], id, "our own request did it", now),
    });
    return filled.meta.changes === 1 ? "applied" : "unchanged";
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error;
    await receiptReused(services, transfer);
    return "unchanged";
  }
}
