/**
 * What M-Pesa says once, kept in the private bucket while the database is away: callbacks, and answers to our requests.
 * The job of every minute applies it (apply-kept.server.ts).
 */
import { isAway } from "#app/db/patience.ts";
import type { IncomingCallback } from "./callbacks.server.ts";
import { isForeignSource } from "./callback-sources.ts";
import type { PayoutAnswer, PushAnswer, PushOutcome, ReversalAnswer } from "#app/payments/gateway.ts";
import type { PaymentServices } from "#app/payments/payment-services.ts";
import type { TransferId } from "#app/payments/transfers/transfers.server.ts";

/** A callback with the id of its row, so that it is stored once, however often that is tried. `receivedAt` in ms. */
export interface NewCallback extends IncomingCallback {
  id: string;
  receivedAt: number;
}

/** The try of a transfer that an answer belongs to. */
export interface SentTransfer extends TransferId {
  conversationId: string;
  /** How often it had been sent, this time included. */
  sendCount: number;
}

export type Kept =
  | { kind: "callback"; callback: NewCallback }
  /** The answer to a prompt. */
  | { kind: "push"; attemptId: string; answer: PushAnswer }
  /** The final answer to a query about a prompt. */
  | { kind: "query"; attemptId: string; outcome: FinalOutcome }
  | { kind: "transfer"; sent: SentTransfer; answer: PayoutAnswer | ReversalAnswer };

export type FinalOutcome = Extract<PushOutcome, { kind: "done" | "failed" }>;

export const KEPT_PREFIX = "kept/";
/**
 * Callbacks from addresses that aren't Safaricom's come last, and only so many of them wait. R2 lists at most 1,000.
 */
const FOREIGN_PREFIX = `${KEPT_PREFIX}foreign/`;
const FOREIGN_MAX = 500;

/** Keeps it, and returns its key. Keys sort by time. @throws when the bucket fails, too */
export async function keep({ documents, now, log }: PaymentServices, kept: Kept): Promise<string> {
  const isForeign = kept.kind === "callback" && isForeignSource(kept.callback.sourceAddress);
  const id = kept.kind === "callback" ? kept.callback.id : crypto.randomUUID();
  const key = `${isForeign ? FOREIGN_PREFIX : `${KEPT_PREFIX}a/`}${String(now()).padStart(15, "0")}-${id}`;
  await documents.put(key, JSON.stringify(kept), { httpMetadata: { contentType: "application/json" } });
  log({ event: "kept", level: "warn", kind: kept.kind });
  return key;
}

/** When the object of this key was kept, ms since 1970. */
export function keptAt(key: string): number {
  return Number(/\/(\d{15})-/.exec(key)?.[1] ?? 0);
}

/** Whether another callback from an address that isn't Safaricom's may be kept, so that nobody can fill the bucket. */
export async function hasRoomForForeign({ documents }: Pick<PaymentServices, "documents">): Promise<boolean> {
  const waiting = await documents.list({ prefix: FOREIGN_PREFIX, limit: FOREIGN_MAX });
  return waiting.objects.length < FOREIGN_MAX;
}

/**
 * Applies what M-Pesa has said. While the database is away, `kept` is kept instead, and the answer is null. If that
 * fails, too, the log has it as an error, and the queries and look-ups of the job find out.
 */
export async function applyOrKeep<Result>(
  services: PaymentServices,
  kept: Kept,
  apply: () => Promise<Result>,
): Promise<Result | null> {
  try {
    return await apply();
  } catch (error) {
    if (!isAway(error)) throw error;
    await keepOrLog(services, kept);
    return null;
  }
}

/** Keeps it. If the bucket fails, too, the log says what is lost. */
export async function keepOrLog(services: PaymentServices, kept: Kept): Promise<void> {
  try {
    await keep(services, kept);
  } catch (error) {
    services.log({
      event: "answer_lost",
      level: "error",
      kind: kept.kind,
      subject: subjectOf(kept),
      error: String(error).slice(0, 200),
    });
  }
}

/** The id of what it is about. */
export function subjectOf(kept: Kept): string {
  switch (kept.kind) {
    case "callback":
      return kept.callback.id;
    case "push":
    case "query":
      return kept.attemptId;
    case "transfer":
      return kept.sent.id;
  }
}
