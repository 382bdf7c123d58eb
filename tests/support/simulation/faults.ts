/**
 * The faults of the pretend M-Pesa in a simulation: how likely each is, and a chooser that draws them from the seed.
 */
import type { CallbackQuirks } from "#workers/sandbox/callback-bodies.ts";
import type { Chooser } from "#workers/sandbox/chooser.ts";
import { type Counter, firewallPage, refuse } from "#workers/sandbox/counter.ts";
import type { ApiName } from "#workers/sandbox/m-pesa.ts";
import type { CallbackPlan, News, PayoutScript, PushScript, RefundScript } from "#workers/sandbox/outcomes.ts";
import type { PayoutInput, PushInput } from "#workers/sandbox/requests.ts";
import type { PromptRow } from "#workers/sandbox/store.ts";
import {
  answerLost,
  answerSpikeArrest,
  invalid,
  REFUSALS,
  type Refusal,
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

/** A day without faults, but for these. */
export interface OrdinaryDay {
  /** The code with which every customer answers, within a minute. */
  customers: "0" | "1037";
  /** M-Pesa may be too busy to take a payout or a reversal. */
  transfers: "work" | "busy";
}

/** The customers' answers to a prompt: result codes by frequency. 7777 is an unknown code. */
const CUSTOMERS = { "0": 62, "1032": 10, "1": 6, "2001": 6, "1037": 9, "1019": 3, "7777": 2, "17": 2 };
const CALLBACK_FAULTS = ["amount", "no receipt", "old receipt", "failure first", "failure last"] as const;

export class SeededFaults implements Chooser {
  /** Null before the day of an outage. */
  day: OrdinaryDay | null = null;
  readonly #stage: Stage;
  readonly #chance: Chance;
  readonly #rates: FaultRates;
  #areOver = false;

  constructor(stage: Stage, rates: FaultRates) {
    this.#stage = stage;
    this.#chance = stage.chance;
    this.#rates = rates;
  }

  /** From now on nothing fails any more, but what was drawn before. What is lost stays lost. */
  end(): void {
    this.#areOver = true;
  }

  onTheWay(counter: Counter, api: ApiName | "token"): WireAnswer | null {
    const isTransfer = api === "payout" || api === "reversal";
    if (isTransfer && this.day?.transfers === "busy") return refuse(counter, REFUSALS.systemBusy);
    if (!this.#draw("refusedOnTheWay")) return null;
    const kind = this.#chance.pick(["network", "firewall", "busy", "spike"] as const);
    this.#stage.note(`a request is refused on the way: ${kind}`);
    if (kind === "network") throw new TypeError("connection reset");
    if (kind === "firewall") return firewallPage(counter);
    return kind === "busy" ? refuse(counter, REFUSALS.systemBusy) : answerSpikeArrest();
  }

  endsToken(): boolean {
    return this.#draw("tokenEnds");
  }

  losesAnswer(): boolean {
    return this.#draw("answerLost");
  }

  lose(counter: Counter): WireAnswer {
    const kind = this.#chance.pick(["network", "gateway", "internal"] as const);
    this.#stage.note(`an answer is lost: ${kind}`);
    if (kind === "network") throw new TypeError("connection reset");
    if (kind === "gateway") return answerLost();
    return refuse(counter, { status: 500, code: "500.003.1001", message: "Internal Server Error" });
  }

  payment(_: Counter, { amount }: PushInput): PushScript {
    const code = this.day?.customers ?? this.#chance.weighted(CUSTOMERS);
    const slow = this.day === null && this.#chance.happens(0.08);
    const afterMs = slow ? this.#chance.between(4, 20) * MINUTE : this.#chance.between(0, 40) * SECOND;
    this.#stage.note(`a prompt of KES ${amount}: will be ${code} in ${Math.round(afterMs / 1000)} s`);
    const step = { afterMs, code, callbacks: this.#callbacks(afterMs) };
    return { answer: "sent", waitsForHandset: false, steps: [step] };
  }

  /** `decidedMs`: from now until the customer decides. */
  #callbacks(decidedMs: number): CallbackPlan[] {
    const plain = (): CallbackPlan => ({ afterMs: this.#newsAfter(decidedMs), amountOff: 0 });
    const first = this.#draw("callbackWrong")
      ? this.#misreport(decidedMs)
      : this.#draw("callbackLost")
        ? []
        : [plain()];
    return this.#draw("callbackTwice") ? [...first, plain()] : first;
  }

  /** Only what M-PESA was seen or reported to do. A success is never invented. */
  #misreport(decidedMs: number): CallbackPlan[] {
    const wrong = this.#chance.pick(CALLBACK_FAULTS);
    this.#stage.note(`its callback is wrong: ${wrong}`);
    const plain: CallbackPlan = { afterMs: SECOND, amountOff: 0 };
    if (wrong === "amount") return [{ ...plain, amountOff: 1 }];
    if (wrong === "no receipt") return [{ ...plain, receipt: "none" }];
    if (wrong === "old receipt") return [{ ...plain, receipt: "first" }];
    const failure: CallbackPlan = { ...plain, code: "1037" };
    const afterMs = this.#chance.pick([SECOND, 2 * SECOND, this.#late(decidedMs)]);
    return wrong === "failure first" ? [failure, { ...plain, afterMs }] : [plain, { ...failure, afterMs }];
  }

  quirks(): CallbackQuirks {
    return {
      omitBalance: this.#chance.happens(0.5),
      omitReceipt: false,
      maskPhone: this.#chance.happens(0.3),
      earlyDate: this.#chance.happens(0.2),
      integerAmount: this.#chance.happens(0.5),
    };
  }

  query(_: Counter, { code }: PromptRow): Refusal | { reports: string } | null {
    if (!this.#draw("queryNoise")) return null;
    const givesUp = { reports: code === null ? "1037" : "4999" };
    return this.#chance.pick([REFUSALS.noise, REFUSALS.unknownTransaction, givesUp]);
  }

  turnAway(_: Counter, { originatorConversationId }: PayoutInput, isKnown: boolean): Refusal | null {
    if (!this.#draw("payoutTurnedAway") && !(this.#isUnseen() && isKnown && this.#chance.happens(0.7))) return null;
    this.#stage.note(`payout ${originatorConversationId.slice(-8)} is turned away`);
    return invalid("PartyB");
  }

  payout(_: Counter, { originatorConversationId, amount, phone }: PayoutInput): PayoutScript {
    this.#stage.note(`payout ${originatorConversationId.slice(-8)} of KES ${amount} to ${phone}`);
    const isSlow = !this.#areOver && this.#chance.happens(0.1);
    const afterMs = isSlow ? this.#chance.between(MINUTE, HOUR) : this.#chance.between(0, 10 * SECOND);
    const script = this.#transfer(afterMs, ["2040", "1", "4", "SFC_IC0003", "17"]);
    if (this.#isUnseen() && script.answer === "sent") return { ...script, answer: "lost", news: [], unseenMs: HOUR };
    const isHidden = !this.#areOver && this.#chance.happens(0.35);
    return { ...script, unseenMs: isHidden ? this.#chance.between(0, 60 * MINUTE) : 0 };
  }

  reversal(): RefundScript {
    this.#stage.note("a reversal");
    const afterMs = this.#chance.between(0, this.#areOver ? 10 * SECOND : 10 * MINUTE);
    return this.#transfer(afterMs, ["1", "17", "R000002"]);
  }

  #transfer(afterMs: number, failures: readonly string[]): RefundScript {
    const isForgotten = this.#draw("payoutForgotten");
    if (isForgotten) this.#stage.note("it is forgotten at once");
    const code = this.#draw("payoutFails") ? this.#chance.pick(failures) : "0";
    const news: News[] = [];
    if (this.#draw("callbackWrong")) news.push({ to: "timeout", afterMs: this.#newsAfter(afterMs) });
    if (!this.#draw("callbackLost")) news.push({ to: "result", afterMs: this.#newsAfter(afterMs) });
    if (this.#draw("callbackTwice")) news.push({ to: "result", afterMs: this.#newsAfter(afterMs) });
    return { answer: isForgotten ? "forgotten" : "sent", afterMs, code, news };
  }

  lookUp(): number | null {
    const afterMs = this.#draw("callbackLate") ? this.#late(0) : this.#chance.between(0, 5 * SECOND);
    return this.#draw("callbackLost") ? null : afterMs;
  }

  listLagMs(): number {
    return this.#areOver ? 0 : this.#chance.between(0, 8 * MINUTE);
  }

  #isUnseen(): boolean {
    return this.#rates.payoutsUnseen && !this.#areOver;
  }

  #draw(kind: Exclude<keyof FaultRates, "spikeArrest" | "payoutsUnseen" | "backlog">): boolean {
    const happens = !this.#areOver && this.#chance.happens(this.#rates[kind]);
    if (happens) this.#stage.note(`fault: ${kind}`);
    return happens;
  }

  /**
   * How long after what it tells, which happens in `ms`, a callback comes. In whole seconds, so that some arrive at
   * once.
   */
  #newsAfter(ms: number): number {
    return this.#draw("callbackLate") ? this.#late(ms) : this.#chance.between(0, 2) * SECOND;
  }

  /** When the backlog ends, everything in it arrives at once. */
  #late(ms: number): number {
    const backlog = this.#rates.backlog ?? this.#chance.pick(BACKLOGS);
    return backlog - ((this.#stage.now + ms) % backlog);
  }
}
