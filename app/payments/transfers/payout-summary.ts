import { formatDateTime } from "#app/ui/dates.ts";
import type { PayoutView } from "#app/payments/transfers/start-payout.server.ts";
import { payoutFailedText, waitText } from "#app/payments/payment-texts.ts";
import { isReserved } from "./transfer-rules.ts";
import type { TransferState } from "#app/db/states/transfer.ts";

interface Words {
  tone: "orange" | "blue" | "green" | "red";
  label: string;
  sentence: string;
}

/** What a seller reads about each state of a payout. */
export const PAYOUT_WORDS: Record<TransferState, Words> = {
  due: { tone: "orange", label: "Due", sentence: "Your payout is next in line. We usually send it within a minute." },
  sending: { tone: "blue", label: "Sending", sentence: "Your payout is on its way to M-Pesa." },
  sent: { tone: "blue", label: "Sent", sentence: "M-Pesa has accepted your payout and is sending it." },
  unknown: {
    tone: "orange",
    label: "Being checked",
    sentence: "M-Pesa hasn't told us the result yet. We're checking. You'll be paid exactly once.",
  },
  done: { tone: "green", label: "Paid", sentence: "The money is in your M-Pesa." },
  parked: { tone: "red", label: "Not paid yet", sentence: "We couldn't pay you yet. Your money is safe." },
};

/** What a seller reads about their payout now. */
export function payoutSentence({
  state,
  waitReason,
  numberHeldUntil,
}: Pick<PayoutView, "state" | "waitReason" | "numberHeldUntil">): string {
  if (state === "due" && waitReason === "number_changed" && numberHeldUntil !== null)
    return `Your M-Pesa number changed. To keep your money safe, we will send this payout at ${formatDateTime(numberHeldUntil)} or soon after.`;
  if (state === "due" && waitReason !== null) return "Your payout waits. We send it as soon as we can.";
  return PAYOUT_WORDS[state].sentence;
}

/** A payout as its seller reads it. Made on the server, so that browsers don't load every text. */
export interface PayoutSummary extends Pick<PayoutView, "state" | "share" | "amount" | "items" | "receipt" | "doneAt"> {
  badge: Pick<Words, "tone" | "label">;
  sentence: string;
  /** Why it waits or was parked. */
  reason: string | null;
  /** The toast when it couldn't be made. */
  failed: string | null;
}

export function summarizePayout(payout: PayoutView): PayoutSummary {
  const { state, share, amount, items, receipt, doneAt } = payout;
  const { tone, label } = PAYOUT_WORDS[state];
  const reason = waitText("payout", payout);
  return {
    state,
    share,
    amount,
    items,
    receipt,
    doneAt,
    badge: { tone, label },
    sentence: payoutSentence(payout),
    reason,
    failed: state === "parked" && !isReserved(payout) ? payoutFailedText(reason ?? "", payout.waitReason) : null,
  };
}

export interface LogLine {
  /** Ms since 1970. */
  at: number;
  text: string;
}

/** How many lines the log shows. */
const LOG_LINES = 5;

type Facts = Pick<
  PayoutView,
  | "state"
  | "amount"
  | "providerConversationId"
  | "receipt"
  | "resultCode"
  | "resultDesc"
  | "waitReason"
  | "waitDetail"
  | "sendCount"
  | "lookupCount"
  | "createdAt"
  | "sentAt"
  | "doneAt"
  | "updatedAt"
>;

/** The known history of a payout, oldest first, the last five lines. */
export function payoutLog(payout: Facts): LogLine[] {
  const { sentAt, updatedAt } = payout;
  const lines: LogLine[] = [{ at: payout.createdAt, text: `Payout of KES ${payout.amount} created` }];
  if (sentAt)
    lines.push({
      at: sentAt,
      text: payout.sendCount > 1 ? `Sent to M-Pesa, attempt ${payout.sendCount}` : "Sent to M-Pesa",
    });
  if (sentAt && payout.providerConversationId)
    lines.push({ at: sentAt, text: `B2C Payment initiated! Transaction ID: ${payout.providerConversationId}` });
  if (payout.lookupCount > 0)
    lines.push({
      at: updatedAt,
      text: `Looked up ${payout.lookupCount === 1 ? "once" : `${payout.lookupCount} times`}`,
    });
  if (payout.resultCode && payout.resultCode !== "0")
    lines.push({ at: updatedAt, text: `Result ${payout.resultCode}: ${payout.resultDesc ?? ""}` });
  else if (payout.resultDesc) lines.push({ at: updatedAt, text: `Answer ${payout.resultDesc}` });
  const reason = waitText("payout", payout);
  if (reason) lines.push({ at: updatedAt, text: reason });
  if (payout.doneAt) lines.push({ at: payout.doneAt, text: `Paid, M-Pesa receipt ${payout.receipt}` });
  lines.push({ at: payout.doneAt ?? updatedAt, text: `State: ${payout.state}` });
  return lines.slice(-LOG_LINES);
}
