/** Customers' payments: the request, the prompt on the phone, M-PESA's answers about it, and the callbacks. */
import { paymentCallback, queryAnswer } from "./callback-bodies.ts";
import { type Counter, refuse } from "./counter.ts";
import { checkoutRequestId, receiptNumber, requestId, systemRandom } from "./identifiers.ts";
import { failedMessage, fitsPrompt, paidMessage, promptQuestion } from "./phone-messages.ts";
import {
  DELAYS_MS,
  type HandsetOutcome,
  type PushScript,
  type PushStep,
  pushScriptFor,
  stepForHandset,
} from "./outcomes.ts";
import { type Fields, type PushInput, readPush, readQuery } from "./requests.ts";
import { paymentProse } from "./result-codes.ts";
import type { PromptRow } from "./store.ts";
import {
  answerFirewall,
  answerJson,
  answerLost,
  answerRefusal,
  answerSpikeArrest,
  REFUSALS,
  type WireAnswer,
} from "./wire-answer.ts";

/**
 * The balance of a simulated wallet at first, and again whenever it is empty, in KES, because only the phone's ending
 * decides the outcome.
 */
export const WALLET_FILL = 85_000;
const QUERY_SPACING_MS = 12_000;

/** Handles a payment request. Each phone has at most one live prompt, and the phone's ending decides the outcome. */
export function requestPayment(counter: Counter, fields: Fields): WireAnswer {
  const { settings, store, merchant } = counter;
  if (settings.html403 > 0) {
    counter.change({ html403: settings.html403 - 1 });
    return answerFirewall(String(counter.nextNumber()).padStart(18, "0"));
  }
  if (settings.systemBusy > 0) {
    counter.change({ systemBusy: settings.systemBusy - 1 });
    return refuse(counter, REFUSALS.systemBusy);
  }
  const reading = readPush(fields, merchant);
  if (!reading.ok) return refuse(counter, reading.refusal);
  const input = reading.value;
  if (store.hasOpenPrompt(input.phone)) return refuse(counter, REFUSALS.subscriberLocked);

  const at = Date.now();
  const script = pushScriptFor(input.phone);
  const steps = stepsFor(counter, input, script);
  const id = newCheckoutRequestId(counter, at, input.phone);
  const merchantRequestId = requestId(counter.nextNumber(), systemRandom);
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
  if (script.answer === "lost") return answerLost();
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
  const id = checkoutRequestId(at, phone, systemRandom);
  return counter.store.findPrompt(id) ? newCheckoutRequestId(counter, at, phone) : id;
}

/** The steps of the phone's script, unless the request itself or an active fault changes them. */
function stepsFor(counter: Counter, input: PushInput, script: PushScript): readonly PushStep[] {
  const failureCode =
    input.failureCode ?? (fitsPrompt(questionOf(counter, input.amount, input.accountReference)) ? null : "1025");
  if (failureCode) return [{ ...stepForHandset("pay"), code: failureCode, afterMs: DELAYS_MS.payerDecides }];
  const { resultCode, pace } = counter.settings;
  const steps = script.waitsForHandset ? atHandsetPace(script.steps, pace) : script.steps;
  if (resultCode === "") return steps;
  return steps.map((step) => (step.code === "0" ? { ...step, code: resultCode } : step));
}

/** A pace below 1 hurries the scripts, but not the people who answer on the handset. */
function atHandsetPace(steps: readonly PushStep[], pace: number): readonly PushStep[] {
  return pace > 0 && pace < 1 ? steps.map((step) => ({ ...step, afterMs: step.afterMs / pace })) : steps;
}

function questionOf(counter: Counter, amount: number, account: string): string {
  return promptQuestion(amount, counter.merchant.name, account);
}

/**
 * From now on M-PESA reports `step.code` for the prompt, and its callbacks follow. `at` is the moment that they are
 * counted from, in ms.
 */
export function takeStep(counter: Counter, prompt: PromptRow, step: PushStep, at: number): void {
  const { store, settings } = counter;
  const now = Date.now();
  const receipt = step.code === "0" ? receiptNumber(now, systemRandom) : null;
  store.settlePrompt(prompt.checkout_request_id, step.code, receipt, now);
  tellPayer(counter, prompt, step.code, receipt, now);
  for (const callback of step.callbacks) {
    const body = paymentCallback(
      {
        merchantRequestId: prompt.merchant_request_id,
        checkoutRequestId: prompt.checkout_request_id,
        code: step.code,
        amount: prompt.amount + callback.amountOff,
        receipt,
        paidAt: now,
        phone: prompt.phone,
      },
      settings,
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
  takeStep(counter, prompt, stepForHandset(outcome), Date.now());
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
  if (settings.queryNoise > 0 && (prompt.queries + 1) % settings.queryNoise === 0)
    return refuse(counter, REFUSALS.noise);
  if (prompt.code === null) return answerInFlight(counter, prompt);
  return settled(prompt, prompt.code, paymentProse(prompt.code, "query"));
}

function settled(prompt: PromptRow, code: string, description: string): WireAnswer {
  return answerJson(200, queryAnswer(prompt.merchant_request_id, prompt.checkout_request_id, code, description));
}

/** The three known answers to a query of a payment in progress, in turn. */
function answerInFlight(counter: Counter, prompt: PromptRow): WireAnswer {
  const turn = prompt.queries % 3;
  if (turn === 0) return settled(prompt, "4999", "The transaction is still under processing");
  if (turn === 1) return refuse(counter, REFUSALS.stillProcessing);
  return answerRefusal({ ...REFUSALS.noise, status: 200 }, requestId(counter.nextNumber(), systemRandom));
}
