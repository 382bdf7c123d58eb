/** Payouts to sellers, and later requests about them. */
import { type FoundTransaction, type Funds, payoutResult, payoutTimeout, statusResult } from "./callback-bodies.ts";
import { type Counter, newRequestId, refuse } from "./counter.ts";
import { conversationId, receiptNumber } from "./identifiers.ts";
import { receivedMessage } from "./phone-messages.ts";
import { WALLET_FILL } from "./payments.ts";
import { registeredName } from "./people.ts";
import { type Fields, readPayout, readStatus, type StatusInput } from "./requests.ts";
import type { PayoutRow, PromptRow, ReversalRow, TransferEvent } from "./store.ts";
import { answerJson, REFUSALS, type WireAnswer } from "./wire-answer.ts";

function accepted(originatorConversationId: string, conversation: string): WireAnswer {
  return answerJson(200, {
    ConversationID: conversation,
    OriginatorConversationID: originatorConversationId,
    ResponseCode: "0",
    ResponseDescription: "Accept the service request successfully.",
  });
}

/** Handles a B2C v3 request. Each id is paid once, whatever its outcome was. */
export function requestPayout(counter: Counter, fields: Fields): WireAnswer {
  const { store, merchant, chooser } = counter;
  const reading = readPayout(fields, merchant);
  if (!reading.ok) return refuse(counter, reading.refusal);
  const input = reading.value;
  const isKnown = store.findPayout(input.originatorConversationId) !== null;
  const refusal = chooser.turnAway(counter, input, isKnown) ?? (isKnown ? REFUSALS.duplicatePayout : null);
  if (refusal) return refuse(counter, refusal);

  const at = counter.now();
  const conversation = conversationId(at, counter.random);
  const script = chooser.payout(counter, input);
  const answer = accepted(input.originatorConversationId, conversation);
  if (script.answer === "forgotten") return answer;
  store.addPayout({
    originator_conversation_id: input.originatorConversationId,
    conversation_id: conversation,
    command_id: input.commandId,
    phone: input.phone,
    amount: input.amount,
    remarks: input.remarks,
    occasion: input.occasion,
    result_url: input.resultUrl,
    timeout_url: input.timeoutUrl,
    created_at: at,
    visible_from: at + script.unseenMs,
  });
  const code = input.failureCode ?? script.code;
  counter.plan(input.originatorConversationId, at, script.afterMs, { kind: "payout", code, news: script.news });
  return script.answer === "lost" ? chooser.lose(counter) : answer;
}

/** What a payout costs the merchant in KES, by its amount. Close to Safaricom's business tariff. */
function chargeFor(amount: number): number {
  if (amount <= 100) return 0;
  if (amount <= 1_500) return 5;
  if (amount <= 5_000) return 9;
  return amount <= 20_000 ? 11 : 13;
}

function fundsOf(counter: Counter): Funds {
  return { utility: counter.settings.float, ...counter.store.sums() };
}

/** The result code of a payout, after checking our own accounts. */
function finalCode({ settings }: Counter, payout: PayoutRow, planned: string): string {
  if (settings.credentialLocked) return "8006";
  if (settings.emptyAccounts) return "1";
  return planned === "0" && settings.float < payout.amount ? "1" : planned;
}

/** Settles the payout: the money moves or not, and the result is sent. `at` is when it was due, in ms. */
export function settlePayout(counter: Counter, payout: PayoutRow, event: TransferEvent, at: number): void {
  const { store, merchant } = counter;
  const now = counter.now();
  const code = finalCode(counter, payout, event.code);
  const receipt = receiptNumber(now, counter.random);
  const charge = code === "0" ? chargeFor(payout.amount) : 0;
  store.settlePayout(payout.originator_conversation_id, { code, receipt, charge, at: now });
  if (code === "0") {
    counter.change({ float: counter.settings.float - payout.amount });
    const balance = store.moveWallet(payout.phone, payout.amount, WALLET_FILL);
    const message = { receipt, amount: payout.amount, business: merchant.name, at: now, balance };
    store.addMessage(payout.phone, receivedMessage(message), now);
  }
  for (const { to, afterMs } of event.news)
    counter.plan(payout.originator_conversation_id, at, afterMs, {
      kind: "send",
      delivery: to === "timeout" ? "time-out" : "result",
      url: to === "timeout" ? payout.timeout_url : payout.result_url,
      shortcode: null,
      body:
        to === "timeout"
          ? payoutTimeout(payout.originator_conversation_id, payout.conversation_id)
          : payoutResult(
              {
                originatorConversationId: payout.originator_conversation_id,
                conversationId: payout.conversation_id,
                receipt,
                code,
                amount: payout.amount,
                phone: payout.phone,
                customer: registeredName(payout.phone),
                settledAt: now,
                // The phone ending for an empty float reports an empty float, whatever is in it.
                funds: code === "1" ? { ...fundsOf(counter), utility: 0 } : fundsOf(counter),
              },
              payout.id,
            ),
    });
}

/**
 * Somebody sends money by hand in M-Pesa's portal, where our app has no part in it. It is settled at once. Returns its
 * receipt, by which Transaction Status finds it.
 */
export function sendByHand(counter: Counter, phone: string, amount: number): string {
  const { store, merchant, settings, change, random } = counter;
  const at = counter.now();
  const id = `portal-${crypto.randomUUID()}`;
  const receipt = receiptNumber(at, random);
  store.addPayout({
    originator_conversation_id: id,
    conversation_id: conversationId(at, random),
    command_id: "BusinessPayment",
    phone,
    amount,
    remarks: "By hand",
    occasion: "",
    result_url: "",
    timeout_url: "",
    created_at: at,
    visible_from: at,
  });
  store.settlePayout(id, { code: "0", receipt, charge: chargeFor(amount), at });
  change({ float: settings.float - amount });
  const balance = store.moveWallet(phone, amount, WALLET_FILL);
  store.addMessage(phone, receivedMessage({ receipt, amount, business: merchant.name, at, balance }), at);
  return receipt;
}

const PAYOUT_STATUS: Readonly<Record<string, string>> = { "0": "Completed" };

function foundPayout(counter: Counter, payout: PayoutRow): FoundTransaction {
  return {
    originatorConversationId: payout.originator_conversation_id,
    conversationId: payout.conversation_id,
    receipt: payout.receipt,
    status: payout.code === null ? "Authorized" : (PAYOUT_STATUS[payout.code] ?? "Declined"),
    reason: "Business Payment to Customer via API",
    amount: payout.amount,
    debitParty: `${counter.merchant.payoutShortcode} - ${counter.merchant.name}`,
    creditParty: `${payout.phone} - ${registeredName(payout.phone)}`,
    account: "Utility Account",
    charge: { name: "Fee For B2C Payment", amount: payout.charge },
    initiatedAt: payout.created_at,
    finalisedAt: payout.settled_at,
  };
}

function foundPayment(counter: Counter, prompt: PromptRow): FoundTransaction {
  return {
    originatorConversationId: prompt.merchant_request_id,
    conversationId: prompt.checkout_request_id,
    receipt: prompt.receipt,
    status: "Completed",
    reason: "Pay Utility",
    amount: prompt.amount,
    debitParty: `${prompt.phone} - ${registeredName(prompt.phone)}`,
    creditParty: `${counter.merchant.shortcode} - ${counter.merchant.name}`,
    account: "MMF Account For Customer",
    charge: { name: "Pay Utility Charge", amount: 0 },
    initiatedAt: prompt.created_at,
    finalisedAt: prompt.settled_at,
  };
}

function foundReversal(counter: Counter, reversal: ReversalRow, prompt: PromptRow): FoundTransaction {
  const payment = foundPayment(counter, prompt);
  return {
    ...payment,
    receipt: reversal.receipt,
    reason: "Transaction Reversal",
    debitParty: payment.creditParty,
    creditParty: payment.debitParty,
    account: "Utility Account",
    charge: { name: "Reversal Charge", amount: 0 },
    initiatedAt: reversal.created_at,
    finalisedAt: reversal.settled_at,
  };
}

/** Looks first for the payout's own id, then for the receipt of a payout, a payment or a reversal. */
function findTransaction(counter: Counter, input: StatusInput): FoundTransaction | null {
  const { store } = counter;
  const payout = store.findPayout(input.originalConversationId) ?? store.findPayoutByReceipt(input.receipt);
  if (payout) return payout.visible_from <= counter.now() ? foundPayout(counter, payout) : null;
  const prompt = store.findPromptByReceipt(input.receipt);
  if (prompt) return foundPayment(counter, prompt);
  const reversal = store.findReversedByReceipt(input.receipt);
  const reversed = reversal && store.findPromptByReceipt(reversal.original_receipt);
  return reversal && reversed ? foundReversal(counter, reversal, reversed) : null;
}

/** Handles a Transaction Status request: accepts it, and answers its ResultURL later. 2032 means unknown. */
export function requestStatus(counter: Counter, fields: Fields): WireAnswer {
  const reading = readStatus(fields, counter.merchant);
  if (!reading.ok) return refuse(counter, reading.refusal);
  const at = counter.now();
  const ids = {
    originatorConversationId: newRequestId(counter),
    conversationId: conversationId(at, counter.random),
    receipt: receiptNumber(at, counter.random),
  };
  const found = findTransaction(counter, reading.value);
  const code = reading.value.failureCode ?? (found ? "0" : "2032");
  const afterMs = counter.chooser.lookUp(counter);
  if (afterMs !== null)
    counter.plan(ids.conversationId, at, afterMs, {
      kind: "send",
      delivery: "look-up",
      url: reading.value.resultUrl,
      shortcode: null,
      body: statusResult(ids, code, found),
    });
  return accepted(ids.originatorConversationId, ids.conversationId);
}
