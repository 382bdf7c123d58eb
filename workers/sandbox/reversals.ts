/** Reversals: a customer's payment goes back to the phone that paid. */
import { reversalResult, reversalTimeout } from "./callback-bodies.ts";
import { type Counter, newRequestId, refuse } from "./counter.ts";
import { conversationId, receiptNumber } from "./identifiers.ts";
import { WALLET_FILL } from "./payments.ts";
import { registeredName } from "./people.ts";
import { reversedMessage } from "./phone-messages.ts";
import { type Fields, readReversal } from "./requests.ts";
import type { PromptRow, ReversalRow, TransferEvent } from "./store.ts";
import { answerJson, type WireAnswer } from "./wire-answer.ts";

/**
 * Handles a reversal request. It has no id of the caller, so every request is accepted, and the result tells the rest.
 */
export function requestReversal(counter: Counter, fields: Fields): WireAnswer {
  const { store, merchant, chooser } = counter;
  const reading = readReversal(fields, merchant);
  if (!reading.ok) return refuse(counter, reading.refusal);
  const input = reading.value;
  const at = counter.now();
  const originatorConversationId = newRequestId(counter);
  const conversation = conversationId(at, counter.random);
  const payer = store.findPromptByReceipt(input.originalReceipt)?.phone ?? "";
  const script = chooser.reversal(counter, payer, store.isReversed(input.originalReceipt));
  const answer = answerJson(200, {
    OriginatorConversationID: originatorConversationId,
    ConversationID: conversation,
    ResponseCode: "0",
    ResponseDescription: "Accept the service request successfully.",
  });
  if (script.answer === "forgotten") return answer;
  store.addReversal({
    conversation_id: conversation,
    originator_conversation_id: originatorConversationId,
    original_receipt: input.originalReceipt,
    amount: input.amount,
    result_url: input.resultUrl,
    timeout_url: input.timeoutUrl,
    created_at: at,
  });
  const code = input.failureCode ?? script.code;
  counter.plan(conversation, at, script.afterMs, { kind: "reversal", code, news: script.news });
  return script.answer === "lost" ? chooser.lose(counter) : answer;
}

/** The result code, after checking our own account and the payment. Only a whole payment is reversed, and only once. */
function finalCode(
  { settings, store }: Counter,
  reversal: ReversalRow,
  prompt: PromptRow | null,
  planned: string,
): string {
  if (settings.credentialLocked) return "8006";
  if (store.isReversed(reversal.original_receipt)) return "R000001";
  if (planned === "0" && (prompt?.code !== "0" || prompt.amount !== reversal.amount)) return "R000002";
  return settings.emptyAccounts ? "1" : planned;
}

/** Settles the reversal: the money moves or not, and the result is sent. `at` is when it was due, in ms. */
export function settleReversal(
  counter: Counter,
  reversal: ReversalRow,
  { code: planned, news }: TransferEvent,
  at: number,
): void {
  const { store, merchant } = counter;
  const now = counter.now();
  const prompt = store.findPromptByReceipt(reversal.original_receipt);
  const code = finalCode(counter, reversal, prompt, planned);
  const receipt = receiptNumber(now, counter.random);
  store.settleReversal(reversal.conversation_id, { code, receipt, at: now });
  if (code === "0" && prompt) {
    const balance = store.moveWallet(prompt.phone, prompt.amount, WALLET_FILL);
    const message = { receipt, amount: prompt.amount, business: merchant.name, at: now, balance };
    store.addMessage(prompt.phone, reversedMessage(message, reversal.original_receipt), now);
  }
  const ids = {
    originatorConversationId: reversal.originator_conversation_id,
    conversationId: reversal.conversation_id,
    receipt,
  };
  for (const { to, afterMs } of news)
    counter.plan(reversal.conversation_id, at, afterMs, {
      kind: "send",
      delivery: to === "timeout" ? "time-out" : "result",
      url: to === "timeout" ? reversal.timeout_url : reversal.result_url,
      shortcode: null,
      body:
        to === "timeout"
          ? reversalTimeout(ids)
          : reversalResult({
              ...ids,
              code,
              amount: reversal.amount,
              originalReceipt: reversal.original_receipt,
              customer: prompt ? `${prompt.phone} - ${registeredName(prompt.phone)}` : "",
              business: `${merchant.shortcode} - ${merchant.name}`,
              balance: store.sums().working,
              settledAt: now,
            }),
    });
}
