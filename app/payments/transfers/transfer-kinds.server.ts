/** What differs between payouts and refunds: when one may be sent, who hears of it, and what it books. */
import type { SQL } from "drizzle-orm";
import type { Statement } from "#app/db/batch.ts";
import type { TransferKind, WaitReason } from "#app/db/states/transfer.ts";
import type { LiveEvent } from "#app/live/live-events.ts";
import type { Notification } from "#app/notifications/kinds.ts";
import type { Party } from "#app/notifications/recipient-rules.ts";
import type { PaymentServices } from "#app/payments/payment-services.ts";
import { PAYOUT } from "./payouts.server.ts";
import { REFUND } from "./refunds.server.ts";
import type { Transfer } from "./transfers.server.ts";

/** Whether a transfer may be sent now, and how. `until` in ms. */
export type Readiness =
  | { kind: "ready"; phone: string | null; remarks: string; guard: Statement[] }
  | { kind: "waits"; reason: WaitReason; until: number }
  | { kind: "blocked"; reason: WaitReason };

/** Who gets the money. */
interface Receiver extends Party {
  /** How many items it is for. */
  items: number;
}

export interface Kind<T extends Transfer> {
  checkReadiness(services: PaymentServices, transfer: T): Promise<Readiness>;
  /** SQL: something forbids to send it, also by hand. */
  isStopped(id: string): SQL;
  findReceiver(services: Pick<PaymentServices, "db">, transfer: T): Promise<Receiver | null>;
  receiverId(transfer: T): string;
  /** What the receiver of a parked transfer is told, once for each key. */
  whenParked(
    transfer: T,
    receiver: Receiver,
    why: { waitReason: WaitReason | null; reason: string },
  ): { key: string; told: Notification };
  /** `isNews`: its receiver hasn't been told why it is parked. The event renews their page in any case. */
  parkedEvent(transfer: T, isNews: boolean): LiveEvent;
  tellDone(transfer: T, receiver: Receiver, receipt: string | null): Notification;
  doneEvent(transfer: T, receipt: string | null): LiveEvent;
  /** The books, and what else has waited for this transfer. */
  whenDone(transfer: T, now: number): Statement[];
}

export const TRANSFER_RULES: Record<TransferKind, Kind<Transfer>> = { payout: PAYOUT, refund: REFUND };
