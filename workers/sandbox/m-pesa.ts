/**
 * The one pretend M-Pesa. It keeps its state in SQLite, and asks its host for the time, for random numbers and for what
 * becomes of each request. The host lets time pass: it calls `act` when `nextDue` has come, and posts what is to be
 * sent. On your machine that is an object with an alarm (`sandbox-object.ts`), in a simulation its stage.
 */
import type { Chooser } from "./chooser.ts";
import { type Counter, refuse } from "./counter.ts";
import { accessToken, type Random } from "./identifiers.ts";
import { registerPull, requestPull } from "./lists.ts";
import type { Merchant } from "./merchant.ts";
import { queryPayment, requestPayment, takeStep } from "./payments.ts";
import { requestPayout, requestStatus, settlePayout } from "./payouts.ts";
import { requestReversal, settleReversal } from "./reversals.ts";
import { bearerToken, type Fields, isBasicFor, readFields } from "./requests.ts";
import { type Settings, startingSettings } from "./settings.ts";
import { type DueEvent, Store, type TimedEvent } from "./store.ts";
import { answerJson, invalid, REFUSALS, type Refusal, TOKEN_REFUSALS, type WireAnswer } from "./wire-answer.ts";

const TOKEN_LIFE_S = 3599;

interface Token {
  value: string;
  /** ms. */
  expiresAt: number;
}

/** A request to one of the APIs, unparsed. */
export interface DarajaRequest {
  authorization: string | undefined;
  contentType: string | undefined;
  body: string;
}

interface Api {
  path: string;
  tokenRefusal: (token: string) => Refusal;
  /** The field named in the refusal of an unreadable body. */
  firstField: string;
  handle: (counter: Counter, fields: Fields, sinceLastQueryMs: number) => WireAnswer;
}

export const APIS = {
  push: {
    path: "/mpesa/stkpush/v1/processrequest",
    tokenRefusal: TOKEN_REFUSALS.payment,
    firstField: "BusinessShortCode",
    handle: requestPayment,
  },
  query: {
    path: "/mpesa/stkpushquery/v1/query",
    tokenRefusal: TOKEN_REFUSALS.payment,
    firstField: "BusinessShortCode",
    handle: queryPayment,
  },
  payout: {
    path: "/mpesa/b2c/v3/paymentrequest",
    tokenRefusal: TOKEN_REFUSALS.payout,
    firstField: "InitiatorName",
    handle: requestPayout,
  },
  status: {
    path: "/mpesa/transactionstatus/v1/query",
    tokenRefusal: TOKEN_REFUSALS.status,
    firstField: "Initiator",
    handle: requestStatus,
  },
  reversal: {
    path: "/mpesa/reversal/v1/request",
    tokenRefusal: TOKEN_REFUSALS.payment,
    firstField: "Initiator",
    handle: requestReversal,
  },
  register: {
    path: "/pulltransactions/v1/register",
    tokenRefusal: TOKEN_REFUSALS.payment,
    firstField: "ShortCode",
    handle: registerPull,
  },
  pull: {
    path: "/pulltransactions/v1/query",
    tokenRefusal: TOKEN_REFUSALS.payment,
    firstField: "ShortCode",
    handle: requestPull,
  },
} as const satisfies Record<string, Api>;

export type ApiName = keyof typeof APIS;
export const API_NAMES = Object.keys(APIS) as ApiName[];

export interface MPesaHost {
  storage: Pick<DurableObjectStorage, "sql" | "kv">;
  merchant: Merchant;
  /**
   * Multiplies every delay. With 0 the clock stands still: `act` takes the next step of everything, however far ahead
   * it is.
   */
  pace: string | undefined;
  now(): number;
  random: Random;
  chooser: Chooser;
}

export class MPesa implements Counter {
  readonly store: Store;
  readonly merchant: Merchant;
  readonly random: Random;
  readonly chooser: Chooser;
  readonly now: () => number;
  readonly #kv: MPesaHost["storage"]["kv"];
  readonly #starting: Settings;
  #lastQueryAt = Number.NEGATIVE_INFINITY;

  constructor({ storage, merchant, pace, now, random, chooser }: MPesaHost) {
    this.store = new Store(storage.sql);
    this.#kv = storage.kv;
    this.#starting = startingSettings(pace);
    this.merchant = merchant;
    this.now = now;
    this.random = random;
    this.chooser = chooser;
  }

  get settings(): Settings {
    return { ...this.#starting, ...this.#kv.get<Partial<Settings>>("settings") };
  }

  readonly change = (change: Partial<Settings>): void => {
    this.#kv.put("settings", { ...this.#kv.get<Partial<Settings>>("settings"), ...change });
  };

  resetSettings(): void {
    this.#kv.delete("settings");
  }

  plan(subject: string, from: number, afterMs: number, event: TimedEvent): void {
    this.store.addEvent(subject, from + afterMs * (this.settings.pace || 1), event);
  }

  nextNumber(): number {
    const next = (this.#kv.get<number>("numbers") ?? 0) + 1;
    this.#kv.put("numbers", next);
    return next;
  }

  /** Answers a token request. A new token ends the previous one. */
  grantToken(authorization: string | undefined, grantType: string | undefined): WireAnswer {
    const elsewhere = this.chooser.onTheWay(this, "token");
    if (elsewhere) return elsewhere;
    if (!isBasicFor(authorization, this.merchant)) return refuse(this, REFUSALS.badAuthentication);
    if (grantType !== "client_credentials") return refuse(this, REFUSALS.badGrantType);
    const token: Token = { value: accessToken(this.random), expiresAt: this.now() + TOKEN_LIFE_S * 1000 };
    this.#kv.put("token", token);
    return answerJson(200, { access_token: token.value, expires_in: String(TOKEN_LIFE_S) });
  }

  /** Answers a request to one of Daraja's APIs. */
  call(name: ApiName, request: DarajaRequest): WireAnswer {
    const elsewhere = this.chooser.onTheWay(this, name);
    if (elsewhere) return elsewhere;
    const api: Api = APIS[name];
    const token = bearerToken(request.authorization);
    if (this.chooser.endsToken()) this.#kv.delete("token");
    if (!this.#acceptsToken(token)) return refuse(this, api.tokenRefusal(token));
    const fields = readFields(request.contentType, request.body);
    if (!fields) return refuse(this, invalid(api.firstField));
    const answer = api.handle(this, fields, this.#sinceLastQuery(name));
    return this.chooser.losesAnswer() ? this.chooser.lose(this) : answer;
  }

  /** When something happens next, in ms; null when nothing does. */
  nextDue(): number | null {
    return this.store.nextDue();
  }

  /** Lets everything happen that is due, and returns it. What is to be sent is for the host to post, once. */
  act(): DueEvent[] {
    const isClockStopped = this.settings.pace === 0;
    const now = this.now();
    const happened: DueEvent[] = [];
    for (const { subject, due } of this.store.nextDueBySubject()) {
      const horizon = isClockStopped ? due : now;
      for (let next = this.store.takeEvent(subject, horizon); next; next = this.store.takeEvent(subject, horizon)) {
        this.#happen(next);
        happened.push(next);
      }
    }
    return happened;
  }

  #happen({ subject, due, event }: DueEvent): void {
    if (event.kind === "prompt") {
      const prompt = this.store.findPrompt(subject);
      if (prompt) takeStep(this, prompt, event.step, due);
    } else if (event.kind === "reversal") {
      const reversal = this.store.findReversal(subject);
      if (reversal) settleReversal(this, reversal, event, due);
    } else if (event.kind === "payout") {
      const payout = this.store.findPayout(subject);
      if (payout) settlePayout(this, payout, event, due);
    }
  }

  #acceptsToken(token: string): boolean {
    const current = this.#kv.get<Token>("token");
    return current !== undefined && current.value === token && this.now() < current.expiresAt;
  }

  #sinceLastQuery(name: ApiName): number {
    if (name !== "query") return Number.POSITIVE_INFINITY;
    const since = this.now() - this.#lastQueryAt;
    this.#lastQueryAt = this.now();
    return since;
  }
}
