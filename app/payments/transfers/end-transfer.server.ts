/** How a transfer ends: parked until a person has fixed the cause, or done. */
import type { Statement } from "#app/db/batch.ts";
import { notify } from "#app/notifications/notify.server.ts";
import { raiseDiscrepancy, resolveDiscrepancies, resolveStops } from "#app/payments/books/discrepancies.server.ts";
import type { PaymentServices } from "#app/payments/payment-services.ts";
import { waitText } from "#app/payments/payment-texts.ts";
import { TRANSFER_RULES } from "./transfer-kinds.server.ts";
import {
  chosenMethod,
  methodOf,
  moveTransfer,
  type SameTry,
  type Transfer,
  type TransferChanges,
  WAITS_FOR_NOTHING,
} from "./transfers.server.ts";

/**
 * Parks a transfer with its reason, and tells our team and whoever waits for the money. `nextActionAt`: when the job
 * tries it again; else a person does. `only` names the decision's subject, so that a late report never parks a transfer
 * that was sent again since. Returns false if nothing changed.
 */
export async function parkTransfer(
  services: PaymentServices,
  transfer: Transfer,
  details: TransferChanges & Required<Pick<TransferChanges, "waitReason" | "waitDetail">>,
  only: SameTry,
  event: "blocked" | "not_found" = "blocked",
): Promise<boolean> {
  const kind = TRANSFER_RULES[transfer.kind];
  const now = services.now();
  const reason = waitText(transfer.kind, details) ?? "";
  const receiver = await kind.findReceiver(services, transfer);
  // Sellers can do nothing about our configuration, and those whose payouts wait behind this one hear nothing either.
  const isTold = transfer.kind === "refund" || details.waitReason !== "our_configuration";
  const parked = receiver && isTold && kind.whenParked(transfer, receiver, { waitReason: details.waitReason, reason });
  // What the job tries again every 15 minutes is told once.
  const key = parked && !details.nextActionAt ? parked.key : `${transfer.kind}_parked:${transfer.id}`;
  const together = [
    ...raiseDiscrepancy(`${transfer.kind}_parked`, transfer.id, reason, now),
    ...(parked ? notify(receiver, parked.told, key, now) : []),
  ];
  const moved = await moveTransfer(services, transfer, event, { nextActionAt: null, ...details }, { together, only });
  const isNews = isTold && (!details.nextActionAt || transfer.sendCount <= 1);
  if (moved) await services.notifier.send(kind.receiverId(transfer), kind.parkedEvent(transfer, isNews));
  return moved;
}

/** M-Pesa has sent the money. `receipt`: null when M-Pesa hasn't told it. Returns false if nothing changed. */
export async function completeTransfer(
  services: PaymentServices,
  transfer: Transfer,
  receipt: string | null,
  together: Statement[] = [],
): Promise<boolean> {
  const kind = TRANSFER_RULES[transfer.kind];
  const now = services.now();
  const changes = { ...doneChanges(transfer, receipt, now), resultCode: "0" };
  // That somebody reversed the payment by hand says nothing about us.
  const resumed = receipt === null ? [] : [resolveStops(methodOf(transfer), transfer.sentAt ?? 0, now)];
  const moved = await moveTransfer(services, transfer, "done", changes, {
    together: [...(await doneStatements(services, transfer, receipt)), ...resumed, ...together],
  });
  if (moved) await services.notifier.send(kind.receiverId(transfer), kind.doneEvent(transfer, receipt));
  return moved;
}

/** What a transfer that is done stores. */
export function doneChanges(transfer: Transfer, receipt: string | null, now: number) {
  return {
    ...chosenMethod(transfer),
    receipt,
    ...WAITS_FOR_NOTHING,
    nextActionAt: null,
    doneAt: now,
  };
}

/**
 * What follows when a transfer is done, whoever sent it: the books, what its receiver is told, and resolved
 * discrepancies.
 */
export async function doneStatements(
  services: Pick<PaymentServices, "db" | "now">,
  transfer: Transfer,
  receipt: string | null,
): Promise<Statement[]> {
  const { kind, id } = transfer;
  const now = services.now();
  const receiver = await TRANSFER_RULES[kind].findReceiver(services, transfer);
  return [
    ...TRANSFER_RULES[kind].whenDone(transfer, now),
    ...(receiver
      ? notify(receiver, TRANSFER_RULES[kind].tellDone(transfer, receiver, receipt), `${kind}_sent:${id}`, now)
      : []),
    resolveDiscrepancies([`${kind}_parked`, `${kind}_in_doubt`], id, "sent after all", now),
  ];
}
