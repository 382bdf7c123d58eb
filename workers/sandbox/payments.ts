/** Customers' payments: the request, the prompt on the phone, M-PESA's answers about it, and the callbacks. */
import { paymentCallback, queryAnswer } from "./callback-bodies.ts";
import { type Counter, newRequestId, refuse } from "./counter.ts";
import { checkoutRequestId, receiptNumber } from "./identifiers.ts";
import { failedMessage, fitsPrompt, paidMessage, promptQuestion } from "./phone-messages.ts";
import { DELAYS_MS, type HandsetOutcome, type PushStep, stepForHandset } from "./outcomes.ts";
import { type Fields, type PushInput, readPush, readQuery } from "./requests.ts";
import { paymentProse } from "./result-codes.ts";
import type { PromptRow } from "./store.ts";
import { answerJson, answerSpikeArrest, REFUSALS, type WireAnswer } from "./wire-answer.ts";

/**
 * The balance of a simulated wallet at first, and again whenever it is empty, in KES, because only the phone's ending
 * decides the outcome.
 */
export const WALLET_FILL = 85_000;
const QUERY_SPACING_MS = 12_000;

/** Handles a payment request. Each phone has at most one live prompt. */
export function requestPayment(counter: Counter, fields: Fields): WireAnswer {
  const { settings, store, merchant } = counter;
  const reading = readPush(fields, merchant);
  if (!reading.ok) return refuse(counter, reading.refusal);
  const input = reading.value;
  if (store.hasOpenPrompt(input.phone)) return refuse(counter, REFUSALS.subscriberLocked);

  const at = counter.now();
  const script = counter.chooser.payment(counter, input);
  const steps = failureOf(counter, input) ?? script.steps;
  const id = newCheckoutRequestId(counter, at, input.phone);
  const merchantRequestId = newRequestId(counter);
  store.addPrompt({
    checkout_request_id: id,
    merchant_request_id: merchantRequestId,
    phone: input.phone,
    amount: input.amount,
    account_reference: input.accountReference,
    description: input.description,
    callback_url: input.callbackUrl,
    waits_for_handset: script.waitsForHandset ? 1 : 0,
    created_at: at,
    expires_at: at + steps[0]!.afterMs * (settings.pace || 1),
  });
  for (const step of steps) counter.plan(id, at, step.afterMs, { kind: "prompt", step });
  if (script.answer === "lost") return counter.chooser.lose(counter);
  const accepted = "Success. Request accepted for processing";
  const answer = answerJson(200, {
    MerchantRequestID: merchantRequestId,
    CheckoutRequestID: id,
    ResponseCode: "0",
    ResponseDescription: accepted,
    CustomerMessage: accepted,
  });
  return { ...answer, afterMs: settings.ackDelayMs * settings.pace };
}

/** An id that no prompt has. Two prompts to a phone within a second differ only in three random digits. */
function newCheckoutRequestId(counter: Counter, at: number, phone: string): string {
  const id = checkoutRequestId(at, phone, counter.random);
  return counter.store.findPrompt(id) ? newCheckoutRequestId(counter, at, phone) : id;
}

/** The steps of a request that M-Pesa ends by itself, whoever gets it; null for any other. */
function failureOf(counter: Counter, input: PushInput): readonly PushStep[] | null {
  const fits = fitsPrompt(questionOf(counter, input.amount, input.accountReference));
  const code = input.failureCode ?? (fits ? null : "1025");
  return code === null ? null : [{ ...stepForHandset("pay"), code, afterMs: DELAYS_MS.payerDecides }];
}

function questionOf(counter: Counter, amount: number, account: string): string {
  return promptQuestion(amount, counter.merchant.name, account);
}

/**
 * From now on M-PESA reports `step.code` for the prompt, and its callbacks follow. `at` is the moment that they are
 * counted from, in ms.
 */
export function takeStep(counter: Counter, prompt: PromptRow, step: PushStep, at: number): void {
  const { store } = counter;
  const now = counter.now();
  const receipt = step.code === "0" ? receiptNumber(now, counter.random) : null;
  store.settlePrompt(prompt.checkout_request_id, step.code, receipt, now);
  tellPayer(counter, prompt, step.code, receipt, now);
  for (const callback of step.callbacks) {
    const quirks = counter.chooser.quirks(counter);
    const body = paymentCallback(
      {
        merchantRequestId: prompt.merchant_request_id,
        checkoutRequestId: prompt.checkout_request_id,
        code: callback.code ?? step.code,
        amount: prompt.amount + callback.amountOff,
        receipt: callback.receipt === "first" ? store.firstReceipt() : receipt,
        paidAt: now,
        phone: prompt.phone,
      },
      callback.receipt === "none" ? { ...quirks, omitReceipt: true } : quirks,
    );
    counter.plan(prompt.checkout_request_id, at, callback.afterMs, {
      kind: "send",
      delivery: "callback",
      url: prompt.callback_url,
      shortcode: counter.merchant.shortcode,
      body,
    });
  }
}

function tellPayer(counter: Counter, prompt: PromptRow, code: string, receipt: string | null, at: number): void {
  const { store, merchant } = counter;
  if (receipt === null) {
    const failed = failedMessage(code, prompt.amount, merchant.name, prompt.account_reference);
    if (failed) store.addMessage(prompt.phone, failed, at);
    return;
  }
  const balance = store.moveWallet(prompt.phone, -prompt.amount, WALLET_FILL);
  const message = { receipt, amount: prompt.amount, business: merchant.name, at, balance };
  store.addMessage(prompt.phone, paidMessage(message, prompt.account_reference), at);
}

export type HandsetAnswer = "taken" | "unknown" | "settled";

/** A person answers the prompt. "settled": it was answered or expired before. */
export function answerPrompt(counter: Counter, id: string, outcome: HandsetOutcome): HandsetAnswer {
  const prompt = counter.store.findPrompt(id);
  if (!prompt) return "unknown";
  if (prompt.code !== null) return "settled";
  counter.store.dropEvents(id);
  takeStep(counter, prompt, stepForHandset(outcome), counter.now());
  return "taken";
}

/** Answers an STK query. `sinceLastMs`: the time since the previous query. */
export function queryPayment(counter: Counter, fields: Fields, sinceLastMs: number): WireAnswer {
  const { settings, store } = counter;
  if (settings.spikeArrest && sinceLastMs < QUERY_SPACING_MS) return answerSpikeArrest();
  const reading = readQuery(fields, counter.merchant);
  if (!reading.ok) return refuse(counter, reading.refusal);
  const prompt = store.findPrompt(reading.value);
  if (!prompt) return refuse(counter, REFUSALS.unknownTransaction);
  store.countQuery(prompt.checkout_request_id);
  const untrue = counter.chooser.query(counter, prompt);
  if (untrue !== null) return "reports" in untrue ? settled(prompt, untrue.reports) : refuse(counter, untrue);
  return prompt.code === null ? answerInFlight(counter, prompt) : settled(prompt, prompt.code);
}

function settled(prompt: PromptRow, code: string): WireAnswer {
  const { merchant_request_id: merchantId, checkout_request_id: id } = prompt;
  return answerJson(200, queryAnswer(merchantId, id, code, paymentProse(code, "query")));
}

/** The three known answers to a query of a payment in progress, in turn. */
function answerInFlight(counter: Counter, prompt: PromptRow): WireAnswer {
  const turn = prompt.queries % 3;
  if (turn === 0) return settled(prompt, "4999");
  return refuse(counter, turn === 1 ? REFUSALS.stillProcessing : { ...REFUSALS.noise, status: 200 });
}
