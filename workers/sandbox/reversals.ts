/** Reversals: a customer's payment goes back to the phone that paid. */
import { reversalResult, reversalTimeout } from "./callback-bodies.ts";
import { type Counter, refuse } from "./counter.ts";
import { conversationId, receiptNumber, requestId, systemRandom } from "./identifiers.ts";
import { DELAYS_MS, reversalScriptFor } from "./outcomes.ts";
import { WALLET_FILL } from "./payments.ts";
import { registeredName } from "./people.ts";
import { reversedMessage } from "./phone-messages.ts";
import { type Fields, readReversal } from "./requests.ts";
import type { PromptRow, TimedEvent } from "./store.ts";
import { answerJson, answerLost, type WireAnswer } from "./wire-answer.ts";

/** Handles a reversal request. It has no id of the caller, so every request is accepted, and the result tells the rest. */
export function requestReversal(counter: Counter, fields: Fields): WireAnswer {
  const { store, merchant } = counter;
  const reading = readReversal(fields, merchant);
  if (!reading.ok) return refuse(counter, reading.refusal);
  const input = reading.value;
  const at = Date.now();
  const originatorConversationId = requestId(counter.nextNumber(), systemRandom);
  const conversation = conversationId(at, systemRandom);
  const payer = store.findPromptByReceipt(input.originalReceipt)?.phone ?? "";
  const script = reversalScriptFor(payer);
  counter.plan(conversation, at, DELAYS_MS.payoutSettles, {
    kind: "reversal",
    code: input.failureCode ?? script.code,
    news: script.news,
    originalReceipt: input.originalReceipt,
    amount: input.amount,
    originatorConversationId,
    resultUrl: input.resultUrl,
    timeoutUrl: input.timeoutUrl,
  });
  if (script.answer === "lost") return answerLost();
  return answerJson(200, {
    OriginatorConversationID: originatorConversationId,
    ConversationID: conversation,
    ResponseCode: "0",
    ResponseDescription: "Accept the service request successfully.",
  });
}

type Reversal = Extract<TimedEvent, { kind: "reversal" }>;

/** The result code, after checking our own account and the payment. Only a whole payment is reversed, and only once. */
function finalCode({ settings, store }: Counter, reversal: Reversal, prompt: PromptRow | null): string {
  if (settings.credentialLocked) return "8006";
  if (reversal.code !== "0") return reversal.code;
  if (prompt?.code !== "0" || prompt.amount !== reversal.amount) return "R000002";
  return store.findReversal(reversal.originalReceipt) ? "R000001" : "0";
}

/** Settles the reversal: the money moves or not, and the result is sent. `at` is when it was due, in ms. */
export function settleReversal(counter: Counter, conversation: string, reversal: Reversal, at: number): void {
  const { store, merchant } = counter;
  const now = Date.now();
  const prompt = store.findPromptByReceipt(reversal.originalReceipt);
  const code = finalCode(counter, reversal, prompt);
  const receipt = receiptNumber(now, systemRandom);
  if (code === "0" && prompt) {
    store.addReversal({ original_receipt: reversal.originalReceipt, receipt, amount: prompt.amount, at: now });
    const balance = store.moveWallet(prompt.phone, prompt.amount, WALLET_FILL);
    const message = { receipt, amount: prompt.amount, business: merchant.name, at: now, balance };
    store.addMessage(prompt.phone, reversedMessage(message, reversal.originalReceipt), now);
  }
  // The phone's ending decides about the first request. Later ones are answered, so that asking again helps.
  const news = code === "R000001" ? "result" : reversal.news;
  if (news === "lost") return;
  const ids = {
    originatorConversationId: reversal.originatorConversationId,
    conversationId: conversation,
    receipt,
  };
  const isTimeout = news === "timeout";
  counter.plan(conversation, at, 0, {
    kind: "send",
    delivery: isTimeout ? "time-out" : "result",
    url: isTimeout ? reversal.timeoutUrl : reversal.resultUrl,
    shortcode: null,
    body: isTimeout
      ? reversalTimeout(ids)
      : reversalResult({
          ...ids,
          code,
          amount: reversal.amount,
          originalReceipt: reversal.originalReceipt,
          customer: prompt ? `${prompt.phone} - ${registeredName(prompt.phone)}` : "",
          business: `${merchant.shortcode} - ${merchant.name}`,
          balance: store.sums().working,
          settledAt: now,
        }),
  });
}
