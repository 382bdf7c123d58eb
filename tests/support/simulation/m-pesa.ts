/**
 * A simulated M-PESA: the sandbox's own readers and bodies, but in memory, on the stage's clock, with faults drawn from
 * the seed. It knows what it really took and paid out, so that our books can be checked.
 */
import {
  payoutResult,
  payoutTimeout,
  paymentCallback,
  queryAnswer,
  statusResult,
} from "#workers/sandbox/callback-bodies.ts";
import {
  accessToken,
  checkoutRequestId,
  conversationId,
  receiptNumber,
  requestId,
} from "#workers/sandbox/identifiers.ts";
import { merchantOf } from "#workers/sandbox/merchant.ts";
import { paymentProse } from "#workers/sandbox/result-codes.ts";
import {
  bearerToken,
  type Fields,
  isBasicFor,
  readFields,
  readPayout,
  readPullQuery,
  readPush,
  readQuery,
  readStatus,
} from "#workers/sandbox/requests.ts";
import type { SandboxEnv } from "#workers/sandbox/env.ts";
import {
  answerFirewall,
  answerJson,
  answerLost,
  answerRefusal,
  answerSpikeArrest,
  invalid,
  REFUSALS,
  TOKEN_REFUSALS,
  type WireAnswer,
} from "#workers/sandbox/wire-answer.ts";
import type { Chance } from "./chance.ts";
import type { Stage } from "./stage.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** How likely each fault is, from 0 to 1. Each seed has its own values. */
export interface FaultRates {
  /** The request never arrives, or gets HTML, an error or a busy signal before anything was done. */
  refusedOnTheWay: number;
  /** The request is carried out, but its answer is lost or says nothing. */
  answerLost: number;
  /** The access token ends early. */
  tokenEnds: number;
  /** A query answers with noise, or gives up too early. */
  queryNoise: number;
  callbackLost: number;
  callbackTwice: number;
  /** Minutes to a day later. */
  callbackLate: number;
  /** A wrong amount, no receipt or an old one, a failure after or before the success. */
  callbackWrong: number;
  /** A payout is accepted and then forgotten. */
  payoutForgotten: number;
  payoutFails: number;
  /** A payout is refused for good, before M-PESA checks whether it was sent before. */
  payoutTurnedAway: number;
  /** Our workers that are stopped halfway. */
  stops: number;
  spikeArrest: boolean;
  /** Payouts are paid unseen: there is no answer and no result, and look-ups within the hour find none. */
  payoutsUnseen: boolean;
  /** Everything late arrives at the next multiple of this, in ms; null: each at its own time. */
  backlog: number | null;
}

const BACKLOGS = [5 * MINUTE, 30 * MINUTE, 10 * HOUR, 30 * HOUR];

export function drawFaultRates(chance: Chance): FaultRates {
  // A third of the seeds have no fault of a kind, so that each kind also occurs alone.
  const share = (most: number) => (chance.happens(0.35) ? 0 : chance.fraction() * most);
  // Sometimes nothing arrives for a long time, people pay again and again, and then everything arrives at once.
  const hasBacklog = chance.happens(0.1);
  const faultRates: FaultRates = {
    refusedOnTheWay: share(0.3),
    answerLost: share(0.35),
    tokenEnds: share(0.3),
    queryNoise: hasBacklog ? 1 : share(0.5),
    callbackLost: hasBacklog ? 0 : share(0.5),
    callbackTwice: share(0.4),
    callbackLate: hasBacklog ? 1 : share(0.4),
    callbackWrong: share(0.4),
    payoutForgotten: share(0.2),
    payoutFails: share(0.7),
    payoutTurnedAway: share(0.3),
    // Sometimes hardly any worker finishes.
    stops: chance.happens(0.15) ? 0.8 : share(0.35),
    spikeArrest: chance.happens(0.3),
    payoutsUnseen: chance.happens(0.15),
    backlog: hasBacklog ? chance.pick(BACKLOGS) : null,
  };
  // With invisible payouts, payments must arrive first.
  const clear = {
    refusedOnTheWay: 0,
    answerLost: 0,
    queryNoise: 0,
    callbackLost: 0,
    callbackLate: 0,
    spikeArrest: false,
  };
  return faultRates.payoutsUnseen ? { ...faultRates, ...clear } : faultRates;
}

export const NO_FAULTS: FaultRates = {
  refusedOnTheWay: 0,
  answerLost: 0,
  tokenEnds: 0,
  queryNoise: 0,
  callbackLost: 0,
  callbackTwice: 0,
  callbackLate: 0,
  callbackWrong: 0,
  payoutForgotten: 0,
  payoutFails: 0,
  payoutTurnedAway: 0,
  stops: 0,
  spikeArrest: false,
  payoutsUnseen: false,
  backlog: null,
};

/** A prompt, and its real outcome at M-PESA. */
export interface Prompt {
  id: string;
  merchantRequestId: string;
  phone: string;
  amount: number;
  callbackUrl: string;
  /** Null while the customer decides. */
  code: string | null;
  receipt: string | null;
  reference: string;
  createdAt: number;
  settledAt: number | null;
}

export interface Payment {
  conversationId: string;
  providerId: string;
  phone: string;
  amount: number;
  resultUrl: string;
  timeoutUrl: string;
  code: string | null;
  receipt: string;
  createdAt: number;
  settledAt: number | null;
  /** Look-ups don't find it before this time, in ms. */
  visibleFrom: number;
  /** Its result is never sent. */
  unseen: boolean;
}

/** A request to send a customer's payment back. */
export interface Reversal {
  providerId: string;
  /** Of the payment. */
  originalReceipt: string;
  resultUrl: string;
  timeoutUrl: string;
  /** "0" when it moved the money; null while M-PESA works on it. */
  code: string | null;
  /** Of the reversal itself. */
  receipt: string;
  settledAt: number | null;
}

/** Posts a body to one of our addresses, once. */
export type Post = (url: string, body: string) => void;

/** A day without faults, but for these. */
export interface OrdinaryDay {
  /** The code with which every customer answers, within a minute. */
  customers: "0" | "1037";
  /** Our account may be empty, and M-PESA too busy to take a payout or a reversal. */
  transfers: "work" | "empty" | "busy";
}

/** The customers' answers to a prompt: result codes by frequency. 7777 is an unknown code. */
const CUSTOMERS = { "0": 62, "1032": 10, "1": 6, "2001": 6, "1037": 9, "1019": 3, "7777": 2, "17": 2 };
const SPACING_MS = 12 * SECOND;
const REGISTERED = answerJson(200, { ResponseRefID: "1", ResponseStatus: "1001" });

export class MPesa {
  readonly prompts: Prompt[] = [];
  readonly payments: Payment[] = [];
  readonly reversals: Reversal[] = [];
  /** Null before the day of an outage. */
  day: OrdinaryDay | null = null;
  readonly #stage: Stage;
  readonly #chance: Chance;
  readonly #faultRates: FaultRates;
  readonly #post: Post;
  readonly #merchant = merchantOf({} as SandboxEnv); // its defaults
  #token = "";
  #areFaultsOver = false;
  #lastQueryAt = Number.NEGATIVE_INFINITY;
  #numbers = 0;
  readonly #draw = (below: number) => this.#chance.below(below);

  constructor(stage: Stage, faultRates: FaultRates, post: Post) {
    this.#stage = stage;
    this.#chance = stage.chance;
    this.#faultRates = faultRates;
    this.#post = post;
  }

  /** From now on nothing fails any more. What is lost stays lost. */
  endFaults(): void {
    this.#areFaultsOver = true;
  }

  /** Answers a request, or throws like a failed network. */
  answer(url: string, init: RequestInit): WireAnswer {
    const { pathname } = new URL(url);
    const headers = new Headers(init.headers);
    const authorization = headers.get("Authorization") ?? undefined;
    if (this.#drawFault("refusedOnTheWay")) return this.#refuseOnTheWay();
    if (pathname.startsWith("/oauth/")) return this.#grantToken(authorization);
    const token = bearerToken(authorization);
    if (this.#drawFault("tokenEnds")) this.#token = "";
    if (token !== this.#token)
      return this.#refuse(pathname.includes("b2c") ? TOKEN_REFUSALS.payout(token) : TOKEN_REFUSALS.payment());
    const fields = readFields(headers.get("Content-Type") ?? undefined, String(init.body));
    if (!fields) return this.#refuse(invalid("BusinessShortCode"));
    const isTransfer = pathname.includes("b2c") || pathname.includes("reversal");
    if (isTransfer && this.day?.transfers === "busy") return this.#refuse(REFUSALS.systemBusy);
    const answer = this.#handle(pathname, fields);
    return this.#drawFault("answerLost") ? this.#loseAnswer() : answer;
  }

  #handle(path: string, fields: Fields): WireAnswer {
    if (path.includes("stkpushquery")) return this.#query(fields);
    if (path.includes("stkpush")) return this.#push(fields);
    if (path.includes("b2c")) return this.#payOut(fields);
    if (path.includes("reversal")) return this.#reverse(fields);
    if (path.includes("pulltransactions")) return path.includes("register") ? REGISTERED : this.#list(fields);
    return this.#lookUp(fields);
  }

  #grantToken(authorization: string | undefined): WireAnswer {
    if (!isBasicFor(authorization, this.#merchant)) return this.#refuse(REFUSALS.badAuthentication);
    this.#token = accessToken(this.#draw);
    return answerJson(200, { access_token: this.#token, expires_in: "3599" });
  }

  // ------------------------------------------------------------------ lists

  /** Pull Transactions. A payment of the last minutes may be missing. */
  #list(fields: Fields): WireAnswer {
    const reading = readPullQuery(fields, this.#merchant);
    if (!reading.ok) return this.#refuse(reading.refusal);
    const { from, until, offset } = reading.value;
    const lag = this.#areFaultsOver ? 0 : this.#chance.between(0, 8 * MINUTE);
    const since = Math.max(from, this.#stage.now - 48 * HOUR);
    const paid = this.prompts
      .filter((prompt) => isPaid(prompt) && prompt.settledAt !== null && prompt.receipt !== null)
      .filter(({ settledAt }) => settledAt! >= since && settledAt! <= Math.min(until, this.#stage.now - lag))
      .slice(offset, offset + 100);
    const rows = paid.map((prompt) => ({
      transactionId: prompt.receipt,
      trxDate: new Date(prompt.settledAt!).toISOString(),
      msisdn: this.#chance.happens(0.5) ? prompt.phone : `${prompt.phone.slice(0, 4)}*****${prompt.phone.slice(-3)}`,
      transactiontype: "c2b-pay-bill-debit",
      billreference: prompt.reference,
      amount: String(prompt.amount),
    }));
    return answerJson(200, { ResponseRefID: "1", ResponseCode: rows.length > 0 ? "1000" : "1001", Response: [rows] });
  }

  // -------------------------------------------------------------- customers

  #push(fields: Fields): WireAnswer {
    const reading = readPush(fields, this.#merchant);
    if (!reading.ok) return this.#refuse(reading.refusal);
    const { phone, amount, callbackUrl, accountReference: reference } = reading.value;
    if (this.prompts.some((prompt) => prompt.phone === phone && prompt.code === null))
      return this.#refuse(REFUSALS.subscriberLocked);
    const now = this.#stage.now;
    const prompt: Prompt = {
      id: checkoutRequestId(now, phone, this.#draw),
      merchantRequestId: requestId(this.#count(), this.#draw),
      phone,
      amount,
      callbackUrl,
      code: null,
      receipt: null,
      reference,
      createdAt: now,
      settledAt: null,
    };
    this.prompts.push(prompt);
    const code = this.day?.customers ?? this.#chance.weighted(CUSTOMERS);
    const slow = this.day === null && this.#chance.happens(0.08);
    const thinks = slow ? this.#chance.between(4, 20) * MINUTE : this.#chance.between(0, 40) * SECOND;
    this.#stage.note(`prompt ${prompt.id.slice(-12)} KES ${amount}: will be ${code} in ${Math.round(thinks / 1000)} s`);
    this.#stage.later(thinks, () => this.#decide(prompt, code));
    return answerJson(200, {
      MerchantRequestID: prompt.merchantRequestId,
      CheckoutRequestID: prompt.id,
      ResponseCode: "0",
      ResponseDescription: "Success. Request accepted for processing",
      CustomerMessage: "Success. Request accepted for processing",
    });
  }

  #decide(prompt: Prompt, code: string): void {
    prompt.code = code;
    prompt.settledAt = this.#stage.now;
    prompt.receipt = code === "0" ? receiptNumber(this.#stage.now, this.#draw) : null;
    this.#stage.note(`prompt ${prompt.id.slice(-12)} is ${code} ${prompt.receipt ?? ""}`);
    const send = (body: string, afterMs: number) =>
      this.#stage.later(afterMs, () => this.#post(prompt.callbackUrl, body));
    const soon = () => this.#soon();
    if (this.#drawFault("callbackWrong")) this.#misreport(prompt, send);
    else if (!this.#drawFault("callbackLost"))
      send(this.#pushCallback(prompt), this.#drawFault("callbackLate") ? this.#late() : soon());
    if (this.#drawFault("callbackTwice"))
      send(this.#pushCallback(prompt), this.#drawFault("callbackLate") ? this.#late() : soon());
  }

  /** Only what M-PESA was seen or reported to do. A success is never invented. */
  #misreport(prompt: Prompt, send: (body: string, afterMs: number) => void): void {
    const failure = this.#pushCallback({ ...prompt, code: "1037", receipt: null });
    const wrong = this.#chance.pick(["amount", "no receipt", "old receipt", "failure first", "failure last"] as const);
    this.#stage.note(`its callback is wrong: ${wrong}`);
    if (wrong === "amount") send(this.#pushCallback({ ...prompt, amount: prompt.amount + 1 }), SECOND);
    if (wrong === "old receipt")
      send(
        this.#pushCallback({
          ...prompt,
          receipt: this.prompts.find(({ receipt }) => receipt !== null)?.receipt ?? prompt.receipt,
        }),
        SECOND,
      );
    if (wrong === "no receipt") send(this.#pushCallback(prompt, true), SECOND);
    if (wrong === "failure first" || wrong === "failure last") {
      const [first, last] =
        wrong === "failure first" ? [failure, this.#pushCallback(prompt)] : [this.#pushCallback(prompt), failure];
      send(first, SECOND);
      send(last, this.#chance.pick([SECOND, 2 * SECOND, this.#late()]));
    }
  }

  #pushCallback(prompt: Prompt, omitReceipt = false): string {
    const quirks = {
      omitBalance: this.#chance.happens(0.5),
      omitReceipt,
      maskPhone: this.#chance.happens(0.3),
      earlyDate: this.#chance.happens(0.2),
      integerAmount: this.#chance.happens(0.5),
    };
    return paymentCallback(
      {
        merchantRequestId: prompt.merchantRequestId,
        checkoutRequestId: prompt.id,
        code: prompt.code ?? "1037",
        amount: prompt.amount,
        receipt: prompt.receipt,
        paidAt: this.#stage.now,
        phone: prompt.phone,
      },
      quirks,
    );
  }

  #query(fields: Fields): WireAnswer {
    const since = this.#stage.now - this.#lastQueryAt;
    this.#lastQueryAt = this.#stage.now;
    if (this.#faultRates.spikeArrest && since < SPACING_MS) return answerSpikeArrest();
    const reading = readQuery(fields, this.#merchant);
    if (!reading.ok) return this.#refuse(reading.refusal);
    const prompt = this.prompts.find(({ id }) => id === reading.value);
    if (!prompt) return this.#refuse(REFUSALS.unknownTransaction);
    const result = (code: string) =>
      answerJson(200, queryAnswer(prompt.merchantRequestId, prompt.id, code, paymentProse(code, "query")));
    if (this.#drawFault("queryNoise")) {
      return this.#chance.pick([
        () => this.#refuse(REFUSALS.noise),
        () => this.#refuse(REFUSALS.unknownTransaction),
        () => result(prompt.code === null ? "1037" : "4999"),
      ])();
    }
    if (prompt.code === null)
      return this.#chance.pick([() => result("4999"), () => this.#refuse(REFUSALS.stillProcessing)])();
    return result(prompt.code);
  }

  // ---------------------------------------------------------------- sellers

  #payOut(fields: Fields): WireAnswer {
    const reading = readPayout(fields, this.#merchant);
    if (!reading.ok) return this.#refuse(reading.refusal);
    const input = reading.value;
    const known = this.payments.some((payment) => payment.conversationId === input.originatorConversationId);
    const isUnseen = this.#faultRates.payoutsUnseen && !this.#areFaultsOver;
    if (this.#drawFault("payoutTurnedAway") || (isUnseen && known && this.#chance.happens(0.7))) {
      this.#stage.note(`payout ${input.originatorConversationId.slice(0, 8)} is turned away`);
      return this.#refuse(invalid("PartyB"));
    }
    if (known) return this.#refuse(REFUSALS.duplicatePayout);
    const now = this.#stage.now;
    const providerId = conversationId(now, this.#draw);
    const accepted = answerJson(200, {
      ConversationID: providerId,
      OriginatorConversationID: input.originatorConversationId,
      ResponseCode: "0",
      ResponseDescription: "Accept the service request successfully.",
    });
    this.#stage.note(`payout ${input.originatorConversationId.slice(0, 8)} of KES ${input.amount} to ${input.phone}`);
    if (this.#drawFault("payoutForgotten")) {
      this.#stage.note("it is forgotten at once");
      return accepted;
    }
    const payment: Payment = {
      conversationId: input.originatorConversationId,
      providerId,
      phone: input.phone,
      amount: input.amount,
      resultUrl: input.resultUrl,
      timeoutUrl: input.timeoutUrl,
      code: null,
      receipt: receiptNumber(now, this.#draw),
      createdAt: now,
      settledAt: null,
      visibleFrom: isUnseen
        ? now + HOUR
        : !this.#areFaultsOver && this.#chance.happens(0.35)
          ? now + this.#chance.between(0, 60 * MINUTE)
          : now,
      unseen: isUnseen,
    };
    this.payments.push(payment);
    const fails = this.#drawFault("payoutFails") ? this.#chance.pick(["2040", "1", "4", "SFC_IC0003", "17"]) : null;
    const code = input.failureCode ?? fails ?? "0";
    this.#stage.later(
      !this.#areFaultsOver && this.#chance.happens(0.1)
        ? this.#chance.between(MINUTE, HOUR)
        : this.#chance.between(0, 10 * SECOND),
      () => this.#settle(payment, code),
    );
    return isUnseen ? this.#loseAnswer() : accepted;
  }

  #settle(payment: Payment, outcome: string): void {
    const code = this.day?.transfers === "empty" ? "1" : outcome;
    payment.code = code;
    payment.settledAt = this.#stage.now;
    this.#stage.note(`payout ${payment.conversationId.slice(0, 8)} is ${code}`);
    const send = (url: string, body: string) =>
      this.#stage.later(this.#drawFault("callbackLate") ? this.#late() : this.#soon(), () => this.#post(url, body));
    if (this.#drawFault("callbackWrong"))
      send(payment.timeoutUrl, payoutTimeout(payment.conversationId, payment.providerId));
    if (payment.unseen) return;
    if (!this.#drawFault("callbackLost")) send(payment.resultUrl, this.#payoutNews(payment));
    if (this.#drawFault("callbackTwice")) send(payment.resultUrl, this.#payoutNews(payment));
  }

  #payoutNews(payment: Payment): string {
    return payoutResult(
      {
        originatorConversationId: payment.conversationId,
        conversationId: payment.providerId,
        receipt: payment.receipt,
        code: payment.code ?? "17",
        amount: payment.amount,
        phone: payment.phone,
        customer: "Wanjiku Otieno",
        settledAt: this.#stage.now,
        funds: { utility: 1_000_000, working: 0, charges: 0 },
      },
      this.#count(),
    );
  }

  // ---------------------------------------------------------------- reversals

  /** The request has no id of ours, so M-PESA knows a repeated one only by the payment that it reversed before. */
  #reverse(fields: Fields): WireAnswer {
    const reversal: Reversal = {
      providerId: conversationId(this.#stage.now, this.#draw),
      originalReceipt: String(fields.TransactionID),
      resultUrl: String(fields.ResultURL),
      timeoutUrl: String(fields.QueueTimeOutURL),
      code: null,
      receipt: receiptNumber(this.#stage.now, this.#draw),
      settledAt: null,
    };
    this.#stage.note(`reversal of ${reversal.originalReceipt}`);
    const accepted = answerJson(200, {
      ConversationID: reversal.providerId,
      OriginatorConversationID: requestId(this.#count(), this.#draw),
      ResponseCode: "0",
      ResponseDescription: "Accept the service request successfully.",
    });
    if (this.#drawFault("payoutForgotten")) {
      this.#stage.note("it is forgotten at once");
      return accepted;
    }
    this.reversals.push(reversal);
    const fails = this.#drawFault("payoutFails") ? this.#chance.pick(["1", "17", "R000002"]) : null;
    const takes = this.#areFaultsOver ? this.#chance.between(0, 10 * SECOND) : this.#chance.between(0, 10 * MINUTE);
    this.#stage.later(takes, () => this.#settleReversal(reversal, fails));
    return accepted;
  }

  #settleReversal(reversal: Reversal, fails: string | null): void {
    const before = this.reversals.some(
      (other) => other.originalReceipt === reversal.originalReceipt && other.code === "0",
    );
    const isKnown = this.prompts.some(({ receipt }) => receipt === reversal.originalReceipt);
    reversal.settledAt = this.#stage.now;
    const isEmpty = this.day?.transfers === "empty";
    reversal.code = before ? "R000001" : isKnown ? (isEmpty ? "1" : (fails ?? "0")) : "R000002";
    this.#stage.note(`reversal of ${reversal.originalReceipt} is ${reversal.code}`);
    const send = (url: string) =>
      this.#stage.later(this.#drawFault("callbackLate") ? this.#late() : this.#soon(), () =>
        this.#post(url, this.#reversalNews(reversal)),
      );
    if (this.#drawFault("callbackWrong")) send(reversal.timeoutUrl);
    if (!this.#drawFault("callbackLost")) send(reversal.resultUrl);
    if (this.#drawFault("callbackTwice")) send(reversal.resultUrl);
  }

  #reversalNews({ providerId, originalReceipt, receipt, code }: Reversal): string {
    const amount = this.prompts.find((prompt) => prompt.receipt === originalReceipt)?.amount ?? 0;
    const parameters = { Amount: amount, OriginalTransactionID: originalReceipt, Charge: 0 };
    return JSON.stringify({
      Result: {
        ResultType: 0,
        ResultCode: code === "0" ? 0 : code,
        ResultDesc: code === "0" ? "The service request is processed successfully." : "The request failed.",
        OriginatorConversationID: requestId(this.#count(), this.#draw),
        ConversationID: providerId,
        TransactionID: receipt,
        ...(code === "0" && {
          ResultParameters: {
            ResultParameter: Object.entries(parameters).map(([Key, Value]) => ({ Key, Value })),
          },
        }),
      },
    });
  }

  #lookUp(fields: Fields): WireAnswer {
    const reading = readStatus(fields, this.#merchant);
    if (!reading.ok) return this.#refuse(reading.refusal);
    const { originalConversationId, resultUrl } = reading.value;
    const now = this.#stage.now;
    const ids = {
      originatorConversationId: requestId(this.#count(), this.#draw),
      conversationId: conversationId(now, this.#draw),
      receipt: receiptNumber(now, this.#draw),
    };
    const payment = this.payments.find(
      (candidate) => candidate.conversationId === originalConversationId && candidate.visibleFrom <= now,
    );
    const body = statusResult(ids, payment ? "0" : "2032", payment ? found(payment) : null);
    const late = this.#drawFault("callbackLate") ? this.#late() : this.#chance.between(0, 5 * SECOND);
    if (!this.#drawFault("callbackLost")) this.#stage.later(late, () => this.#post(resultUrl, body));
    return answerJson(200, {
      ConversationID: ids.conversationId,
      OriginatorConversationID: ids.originatorConversationId,
      ResponseCode: "0",
      ResponseDescription: "Accept the service request successfully.",
    });
  }

  // ----------------------------------------------------------------- faults

  #drawFault(kind: Exclude<keyof FaultRates, "spikeArrest" | "payoutsUnseen" | "backlog">): boolean {
    const happens = !this.#areFaultsOver && this.#chance.happens(this.#faultRates[kind]);
    if (happens) this.#stage.note(`fault: ${kind}`);
    return happens;
  }

  #refuseOnTheWay(): WireAnswer {
    const kind = this.#chance.pick(["network", "firewall", "busy", "spike"] as const);
    this.#stage.note(`a request is refused on the way: ${kind}`);
    if (kind === "network") throw new TypeError("connection reset");
    if (kind === "firewall") return answerFirewall("000000000000000001");
    return kind === "busy" ? this.#refuse(REFUSALS.systemBusy) : answerSpikeArrest();
  }

  #loseAnswer(): WireAnswer {
    const kind = this.#chance.pick(["network", "gateway", "internal"] as const);
    this.#stage.note(`an answer is lost: ${kind}`);
    if (kind === "network") throw new TypeError("connection reset");
    if (kind === "gateway") return answerLost();
    return this.#refuse({ status: 500, code: "500.003.1001", message: "Internal Server Error" });
  }

  /** In whole seconds, so that callbacks sometimes arrive at the same moment. */
  #soon(): number {
    return this.#chance.between(0, 2) * SECOND;
  }

  /** When the backlog ends, everything in it arrives at once. */
  #late(): number {
    const backlog = this.#faultRates.backlog ?? this.#chance.pick(BACKLOGS);
    return backlog - (this.#stage.now % backlog);
  }

  #refuse(refusal: { status: number; code: string; message: string }): WireAnswer {
    return answerRefusal(refusal, requestId(this.#count(), this.#draw));
  }

  #count(): number {
    this.#numbers += 1;
    return this.#numbers;
  }
}

/** Whether M-PESA took the customer's money. */
export function isPaid(prompt: Prompt | undefined): boolean {
  return prompt?.code === "0";
}

function found(payment: Payment) {
  return {
    originatorConversationId: payment.conversationId,
    conversationId: payment.providerId,
    receipt: payment.code === "0" ? payment.receipt : null,
    status: payment.code === null ? "Authorized" : payment.code === "0" ? "Completed" : "Declined",
    reason: "Business Payment to Customer via API",
    amount: payment.amount,
    debitParty: "600996 - CHUONI",
    creditParty: `${payment.phone} - Wanjiku Otieno`,
    account: "Utility Account",
    charge: { name: "Fee For B2C Payment", amount: 0 },
    initiatedAt: payment.createdAt,
    finalisedAt: payment.settledAt,
  };
}
