/** Sending transfers, and finding out what became of them when M-Pesa doesn't say. */
import type { Statement } from "#app/db/batch.ts";
import { isAway } from "#app/db/patience.ts";
import { raiseDiscrepancy, recordDiscrepancy, tryRaising } from "#app/payments/books/discrepancies.server.ts";
import { completeTransfer, parkTransfer } from "./end-transfer.server.ts";
import { answerText, type PayoutAnswer, type ReversalAnswer, UNSENT } from "#app/payments/gateway.ts";
import { applyOrKeep, keepOrLog, type SentTransfer } from "#app/payments/answers/kept.server.ts";
import { openGateway } from "#app/payments/open-gateway.server.ts";
import { lookupsWaitUntil, pauseChannel, takeLookupTurn, takeTurn } from "./paused-channels.server.ts";
import type { PaymentServices } from "#app/payments/payment-services.ts";
import { TRANSFER_RULES } from "./transfer-kinds.server.ts";
import {
  channelPause,
  isReversedByOthers,
  lookupDelay,
  LOOKUPS_BEFORE_DOUBT,
  RESULT_WAIT_MS,
  SEND_WAIT_MS,
} from "./transfer-rules.ts";
import {
  changeTransfer,
  chosenMethod,
  findTransfer,
  methodOf,
  moveTransfer,
  retryParked,
  sameTry,
  type Transfer,
  type TransferId,
  waitsFor,
  WAITS_FOR_NOTHING,
} from "./transfers.server.ts";

/**
 * Takes the next step of one transfer: sends it when it is due. When its result is uncertain, it is looked up, or a
 * reversal is asked for again. Nothing happens before its time, while its method is paused, or before a query has
 * confirmed the buyer's payment. Safe to call twice at once, because a conditional update claims it.
 */
export async function advanceTransfer(services: PaymentServices, id: TransferId): Promise<void> {
  const transfer = await findTransfer(services, id);
  if (!transfer || transfer.nextActionAt === null || transfer.nextActionAt > services.now()) return;
  switch (transfer.state) {
    case "due":
      return send(services, transfer);
    case "sending":
      // A worker was stopped after claiming it, so it may have been sent.
      await moveTransfer(services, transfer, "lost", { ...waitsFor("answer_lost"), nextActionAt: services.now() });
      return;
    case "sent":
    case "unknown":
      return transfer.method === "reversal" ? askAgain(services, transfer) : lookUp(services, transfer);
    case "parked":
      return tryAgain(services, transfer);
    case "done":
      return;
  }
}

/**
 * Our account was empty, or our configuration wrong, when M-Pesa tried to send it. It stays parked until it may be
 * sent, so that no page says meanwhile that it is on its way, and an admin may send it by hand.
 */
async function tryAgain(services: PaymentServices, transfer: Transfer): Promise<void> {
  const readiness = await TRANSFER_RULES[transfer.kind].checkReadiness(services, transfer);
  if (readiness.kind === "waits") {
    const later = { nextActionAt: readiness.until };
    await tryRaising(services, changeTransfer(transfer, later, services.now()));
    return;
  }
  if (!(await retryParked(services, transfer))) return;
  const due = await findTransfer(services, transfer);
  if (due?.state === "due") await send(services, due);
}

async function send(services: PaymentServices, transfer: Transfer): Promise<void> {
  const now = services.now();
  const readiness = await TRANSFER_RULES[transfer.kind].checkReadiness(services, transfer);
  if (readiness.kind === "blocked") {
    await parkTransfer(services, transfer, waitsFor(readiness.reason), sameTry(transfer));
    return;
  }
  if (readiness.kind === "waits") {
    const postponed = { ...waitsFor(readiness.reason), nextActionAt: readiness.until };
    await tryRaising(services, changeTransfer(transfer, postponed, now));
    return;
  }
  const gateway = await openGateway(services);
  if (!gateway) return;
  const { phone, remarks, guard } = readiness;
  const method = methodOf(transfer);
  const claim = {
    phone,
    providerConversationId: null,
    sendCount: transfer.sendCount + 1,
    sentAt: now,
    nextActionAt: now + SEND_WAIT_MS,
  };
  const sending = { ...transfer, ...claim };
  const only = sameTry(transfer);
  try {
    if (
      !(await moveTransfer(
        services,
        transfer,
        "claimed",
        { ...claim, ...chosenMethod(transfer) },
        { together: [...guard, ...takeTurn(method, now)], only },
      ))
    )
      return;
  } catch (error) {
    // The claim may have been written. Nothing was sent.
    if (isAway(error)) await keepOrLog(services, { kind: "transfer", sent: sentAs(sending), answer: UNSENT });
    throw error;
  }
  const { conversationId, callbackToken, amount } = transfer;
  const answer =
    method === "reversal"
      ? await gateway.reverse({ receipt: reversedReceipt(transfer), callbackToken, amount, remarks })
      : await gateway.payOut({ conversationId, callbackToken, phone: phone ?? "", amount, remarks });
  await applyOrKeep(services, { kind: "transfer", sent: sentAs(sending), answer }, () =>
    concludeSend(services, sending, answer),
  );
}

function reversedReceipt(transfer: Transfer): string {
  return transfer.kind === "refund" ? (transfer.payment.receipt ?? "") : "";
}

function sentAs({ kind, id, conversationId, sendCount }: Transfer): SentTransfer {
  return { kind, id, conversationId, sendCount };
}

/** Applies an answer that was kept while the database was away, unless the transfer was sent again since. */
export async function applyTransferAnswer(
  services: PaymentServices,
  sent: SentTransfer,
  answer: PayoutAnswer | ReversalAnswer,
): Promise<void> {
  const transfer = await findTransfer(services, sent);
  if (transfer?.conversationId === sent.conversationId && transfer.sendCount === sent.sendCount)
    await concludeSend(services, transfer, answer);
}

async function concludeSend(
  services: PaymentServices,
  transfer: Transfer,
  answer: PayoutAnswer | ReversalAnswer,
): Promise<void> {
  const now = services.now();
  const only = sameTry(transfer);
  const delay = lookupDelay(transfer.lookupCount);
  switch (answer.kind) {
    case "accepted": {
      const { providerConversationId } = answer;
      const nextActionAt = now + Math.max(RESULT_WAIT_MS, delay);
      const accepted = { providerConversationId, ...WAITS_FOR_NOTHING, nextActionAt };
      await moveTransfer(services, transfer, "accepted", accepted, { only });
      return;
    }
    case "already_reversed":
      await applyReversalBefore(services, transfer);
      return;
    case "duplicate":
      await moveTransfer(services, transfer, "lost", { ...waitsFor("already_known"), nextActionAt: now }, { only });
      return;
    case "unknown": {
      const lost = { ...waitsFor("answer_lost"), resultDesc: answerText(answer), nextActionAt: now + delay };
      await moveTransfer(services, transfer, "lost", lost, { only });
      return;
    }
    case "refused":
      return concludeRefusal(services, transfer, answer);
  }
}

async function concludeRefusal(
  services: PaymentServices,
  transfer: Transfer,
  answer: Extract<PayoutAnswer | ReversalAnswer, { kind: "refused" }>,
): Promise<void> {
  const details = { resultDesc: answerText(answer), waitReason: answer.reason, waitDetail: wordsOf(answer) };
  const only = sameTry(transfer);
  if (answer.pausesChannel) await pauseChannel(services, methodOf(transfer), answer);
  const pause = answer.pausesChannel ? channelPause(answer.reason) : answer.retryAfterMs;
  if (pause === null) await parkTransfer(services, transfer, details, only);
  else {
    const postponed = { ...details, nextActionAt: services.now() + pause };
    await moveTransfer(services, transfer, "postponed", postponed, { only });
  }
}

/** M-Pesa's own message, for failures that have no code of ours. */
export function wordsOf({ message }: { message: string }): string {
  return message.slice(0, 200);
}

/**
 * M-Pesa says that the payment was reversed before. After an earlier request of ours, that request did it, and its
 * result may still bring the receipt. Otherwise somebody reversed it by hand, and a person must look.
 */
export async function applyReversalBefore(services: PaymentServices, transfer: Transfer): Promise<boolean> {
  const detail = "M-Pesa had reversed the payment before we asked. Look up who did it, and whether the buyer got it.";
  const told = isReversedByOthers(transfer, null)
    ? raiseDiscrepancy("refund_already_reversed", transfer.id, detail, services.now())
    : [];
  return completeTransfer(services, transfer, null, told);
}

/**
 * A reversal whose result didn't come is asked for again: M-Pesa either does it now, or answers that it was done
 * before. `lookupCount` counts how often, and tells that an earlier request may have done it.
 */
async function askAgain(services: PaymentServices, transfer: Transfer): Promise<void> {
  const now = services.now();
  const only = sameTry(transfer);
  if (transfer.state === "sent") {
    const overdue = { ...waitsFor("result_overdue"), nextActionAt: now };
    if (!(await moveTransfer(services, transfer, "lost", overdue, { only }))) return;
  }
  const asked = transfer.lookupCount + 1;
  const again = { lookupCount: asked, nextActionAt: now };
  const together = doubtAfter(transfer, asked, now);
  if (!(await moveTransfer(services, transfer, "asked_again", again, { together, only }))) return;
  const due = await findTransfer(services, transfer);
  if (due?.state === "due") await send(services, due);
}

function doubtAfter({ kind, id }: Transfer, asked: number, now: number): Statement[] {
  return isDoubtful(asked)
    ? raiseDiscrepancy(`${kind}_in_doubt`, id, `M-Pesa was asked ${asked} times and gave no result`, now)
    : [];
}

function isDoubtful(asked: number): boolean {
  return asked % LOOKUPS_BEFORE_DOUBT === 0;
}

async function lookUp(services: PaymentServices, transfer: Transfer): Promise<void> {
  const gateway = await openGateway(services);
  if (!gateway) return;
  const now = services.now();
  const { kind, id, conversationId, callbackToken } = transfer;
  const waitsUntil = await lookupsWaitUntil(services);
  if (waitsUntil !== null) {
    await tryRaising(services, changeTransfer(transfer, { nextActionAt: waitsUntil }, now));
    return;
  }
  const asked = transfer.lookupCount + 1;
  const next = now + lookupDelay(asked);
  // The update checks the count, so only one of two workers asks.
  const counted = changeTransfer(transfer, { lookupCount: asked, nextActionAt: next }, now);
  const together = [...takeLookupTurn(now), ...doubtAfter(transfer, asked, now)];
  if (!(await tryRaising(services, [...counted, ...together]))) return;
  if (transfer.state === "sent")
    await moveTransfer(services, transfer, "lost", { ...waitsFor("result_overdue"), nextActionAt: next });
  const answer = await gateway.lookUpPayout({ conversationId, callbackToken });
  const told = { event: "transfer_looked_up", kind, id, answer: answer.kind, lookup: asked };
  if (answer.kind === "accepted") return services.log(told);
  services.log({ ...told, level: "warn", code: answer.code, message: answer.message });
  const why = `M-Pesa was asked ${asked} times and gave no result. It doesn't take the question: ${answerText(answer)}`;
  if (isDoubtful(asked)) await recordDiscrepancy(services, `${kind}_in_doubt`, id, why);
}
