import { DurableObject } from "cloudflare:workers";
import { type Activity, type MailView, mailView, messageView, payoutView, promptView } from "./activity.ts";
import { type Counter, refuse } from "./counter.ts";
import type { SandboxEnv } from "./env.ts";
import { accessToken, systemRandom } from "./identifiers.ts";
import { addEarlier, type EarlierPayments, registerPull, requestPull, statementOf } from "./lists.ts";
import type { IncomingMail } from "./mail.ts";
import { type Merchant, merchantOf } from "./merchant.ts";
import type { HandsetOutcome } from "./outcomes.ts";
import { answerPrompt, type HandsetAnswer, queryPayment, requestPayment, takeStep } from "./payments.ts";
import { requestPayout, requestStatus, sendByHand, settlePayout } from "./payouts.ts";
import {
  listPushes,
  type PushRequest,
  type PushView,
  type SandboxSubscription,
  subscribe,
  takePush,
} from "./push-service.ts";
import { requestReversal, settleReversal } from "./reversals.ts";
import { bearerToken, type Fields, isBasicFor, readFields } from "./requests.ts";
import { type Settings, startingSettings } from "./settings.ts";
import { type DueEvent, Store, type TimedEvent } from "./store.ts";
import {
  answerEmpty,
  answerFirewall,
  answerJson,
  invalid,
  REFUSALS,
  type Refusal,
  TOKEN_REFUSALS,
  type WireAnswer,
} from "./wire-answer.ts";

const TOKEN_LIFE_S = 3599;
/**
 * How long the sandbox waits for the answer to a callback, in ms. The answer doesn't matter, because Safaricom never
 * sends a callback again.
 */
const DELIVERY_TIMEOUT_MS = 30_000;
/**
 * How long an alarm waits for its deliveries, in ms, so that a slow receiver doesn't delay others. While the clock
 * stands still it waits for all of them, so that a test finds every callback delivered.
 */
const ALARM_TIMEOUT_MS = 3_000;
/** While the clock stands still, alarms are set this far ahead, in ms, so that only a test runs them. */
const STOPPED_CLOCK_ALARM_MS = 24 * 60 * 60 * 1000;

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
  tokenRefusal: (token: string) => Refusal;
  /** The field named in the refusal of an unreadable body. */
  firstField: string;
  handle: (counter: Counter, fields: Fields, sinceLastQueryMs: number) => WireAnswer;
}

const APIS = {
  push: { tokenRefusal: TOKEN_REFUSALS.payment, firstField: "BusinessShortCode", handle: requestPayment },
  query: { tokenRefusal: TOKEN_REFUSALS.payment, firstField: "BusinessShortCode", handle: queryPayment },
  payout: { tokenRefusal: TOKEN_REFUSALS.payout, firstField: "InitiatorName", handle: requestPayout },
  status: { tokenRefusal: TOKEN_REFUSALS.status, firstField: "Initiator", handle: requestStatus },
  reversal: { tokenRefusal: TOKEN_REFUSALS.payment, firstField: "Initiator", handle: requestReversal },
  register: { tokenRefusal: TOKEN_REFUSALS.payment, firstField: "ShortCode", handle: registerPull },
  pull: { tokenRefusal: TOKEN_REFUSALS.payment, firstField: "ShortCode", handle: requestPull },
} as const satisfies Record<string, Api>;

export type ApiName = keyof typeof APIS;

/**
 * The whole state of the sandbox, in one Durable Object. Alarms let time pass. At pace 0 the clock stands still: each
 * alarm takes the next step of every payment and payout, however far ahead it is, so that a test decides when.
 */
export class SandboxObject extends DurableObject<SandboxEnv> {
  #store: Store;
  #merchant: Merchant;
  #lastQueryAt = Number.NEGATIVE_INFINITY;

  constructor(ctx: DurableObjectState, env: SandboxEnv) {
    super(ctx, env);
    this.#store = new Store(ctx.storage.sql);
    this.#merchant = merchantOf(env);
  }

  /** Answers a token request. A new token ends the previous one. */
  async grantToken(authorization: string | undefined, grantType: string | undefined): Promise<WireAnswer> {
    const counter = this.#counter();
    const { settings } = counter;
    if (settings.emptyToken > 0) {
      counter.change({ emptyToken: settings.emptyToken - 1 });
      return answerEmpty(400);
    }
    if (settings.tokenPage > 0) {
      counter.change({ tokenPage: settings.tokenPage - 1 });
      return { ...answerFirewall(String(counter.nextNumber()).padStart(18, "0")), status: 400 };
    }
    if (!isBasicFor(authorization, this.#merchant)) return refuse(counter, REFUSALS.badAuthentication);
    if (grantType !== "client_credentials") return refuse(counter, REFUSALS.badGrantType);
    const token: Token = { value: accessToken(systemRandom), expiresAt: Date.now() + TOKEN_LIFE_S * 1000 };
    this.ctx.storage.kv.put("token", token);
    return answerJson(200, { access_token: token.value, expires_in: String(TOKEN_LIFE_S) });
  }

  /** Answers a request to one of Daraja's APIs. */
  async call(name: ApiName, request: DarajaRequest): Promise<WireAnswer> {
    const counter = this.#counter();
    const api: Api = APIS[name];
    const token = bearerToken(request.authorization);
    if (!this.#acceptsToken(token)) return refuse(counter, api.tokenRefusal(token));
    const fields = readFields(request.contentType, request.body);
    if (!fields) return refuse(counter, invalid(api.firstField));
    const answer = api.handle(counter, fields, this.#sinceLastQuery(name));
    this.#touch();
    await this.#arm();
    return answer;
  }

  /** A person answers a prompt on the handset. */
  async answerPrompt(checkoutRequestId: string, outcome: HandsetOutcome): Promise<HandsetAnswer> {
    const answer = answerPrompt(this.#counter(), checkoutRequestId, outcome);
    this.#touch();
    await this.#arm();
    return answer;
  }

  /** All stored prompts, payouts and messages. */
  async activity(): Promise<Activity> {
    const deliveries = this.#store.listDeliveries();
    const reversed = new Set(this.#store.listReversals().map(({ original_receipt }) => original_receipt));
    return {
      revision: await this.revision(),
      prompts: this.#store.listPrompts().map((row) => promptView(row, deliveries, reversed)),
      payouts: this.#store.listPayouts().map((row) => payoutView(row, deliveries)),
      messages: this.#store.listMessages().map(messageView),
    };
  }

  /** Grows with every change. */
  async revision(): Promise<number> {
    return this.ctx.storage.kv.get<number>("revision") ?? 0;
  }

  async settings(): Promise<Settings> {
    return this.#counter().settings;
  }

  /** Changes the fault settings; null resets all of them. Returns the current settings. */
  async changeSettings(change: Partial<Settings> | null): Promise<Settings> {
    if (change === null) this.ctx.storage.kv.delete("settings");
    else this.#change(change);
    await this.#arm();
    return this.settings();
  }

  /** Somebody sends KES `amount` by hand in M-Pesa's portal. Returns the receipt. */
  async sendByHand(phone: string, amount: number): Promise<string> {
    const receipt = sendByHand(this.#counter(), phone, amount);
    this.#touch();
    return receipt;
  }

  /** The statement of one of the merchant's accounts as a CSV file. Times in ms. */
  async statement(asked: { account: "collection" | "payouts"; from: number; until: number }): Promise<string> {
    return statementOf(this.#counter(), asked);
  }

  /** Payments that M-Pesa made before there was this sandbox. */
  async addEarlier(earlier: EarlierPayments): Promise<void> {
    addEarlier(this.#counter(), earlier);
    this.#touch();
  }

  /** Stores an email and returns its number. */
  async keepMail(mail: IncomingMail): Promise<number> {
    const id = this.#store.addMail({
      recipient: mail.to,
      subject: mail.subject,
      text: mail.text,
      html: mail.html,
      sent_at: Date.now(),
    });
    this.#touch();
    return id;
  }

  /** Newest first. Of one recipient; null for all. */
  async mails(recipient: string | null): Promise<MailView[]> {
    return this.#store.listMails(recipient).map(mailView);
  }

  async mail(id: number): Promise<MailView | null> {
    const row = this.#store.findMail(id);
    return row ? mailView(row) : null;
  }

  /** A browser subscribes to messages that this key signs. */
  async subscribe(serverKey: string): Promise<SandboxSubscription> {
    return subscribe(this.#store, serverKey);
  }

  /** A browser ends its subscription. */
  async unsubscribe(id: string): Promise<void> {
    this.#store.dropBrowser(id);
  }

  /** Answers a message for a browser with a status. */
  async takePush(id: string, request: PushRequest): Promise<number> {
    const { settings, change } = this.#counter();
    const { status, usedBusy } = await takePush(this.#store, settings, id, request);
    if (usedBusy) change({ pushBusy: settings.pushBusy - 1 });
    this.#touch();
    return status;
  }

  /** What browsers got, newest first. */
  async pushes(): Promise<PushView[]> {
    return listPushes(this.#store);
  }

  override async alarm(): Promise<void> {
    const counter = this.#counter();
    const isClockStopped = counter.settings.pace === 0;
    const now = Date.now();
    const sending: Promise<void>[] = [];
    for (const { subject, due } of this.#store.nextDueBySubject()) {
      const horizon = isClockStopped ? due : now;
      for (let next = this.#store.takeEvent(subject, horizon); next; next = this.#store.takeEvent(subject, horizon)) {
        this.#happen(counter, next, sending);
      }
    }
    this.#touch();
    await this.#arm();
    const timeouts = isClockStopped ? [] : [scheduler.wait(ALARM_TIMEOUT_MS)];
    await Promise.race([Promise.all(sending), ...timeouts]);
  }

  #happen(counter: Counter, { subject, due, event }: DueEvent, sending: Promise<void>[]): void {
    if (event.kind === "send") {
      sending.push(this.#send(subject, event));
      return;
    }
    if (event.kind === "prompt") {
      const prompt = this.#store.findPrompt(subject);
      if (prompt) takeStep(counter, prompt, event.step, due);
      return;
    }
    if (event.kind === "reversal") {
      settleReversal(counter, subject, event, due);
      return;
    }
    const payout = this.#store.findPayout(subject);
    if (payout) settlePayout(counter, payout, event, due);
  }

  /** Posts a callback once, whatever happens: Safaricom doesn't retry. */
  async #send(subject: string, event: Extract<TimedEvent, { kind: "send" }>): Promise<void> {
    const headers = new Headers({
      "User-Agent": "ReactorNetty/1.2.9",
      "Content-Type": "application/json;charset=UTF-8",
    });
    if (event.shortcode) headers.set("Businessshortcode", event.shortcode);
    const request = new Request(event.url, {
      method: "POST",
      headers,
      body: event.body,
      redirect: "manual",
      signal: AbortSignal.timeout(DELIVERY_TIMEOUT_MS),
    });
    const status = await this.#deliver(request);
    this.#store.addDelivery({ subject, kind: event.delivery, status, sent_at: Date.now() });
    this.#touch();
  }

  async #deliver(request: Request): Promise<number | null> {
    try {
      const response = await (this.env.APP ? this.env.APP.fetch(request) : fetch(request));
      await response.body?.cancel();
      return response.status;
    } catch {
      return null;
    }
  }

  #acceptsToken(token: string): boolean {
    const current = this.ctx.storage.kv.get<Token>("token");
    return current !== undefined && current.value === token && Date.now() < current.expiresAt;
  }

  #sinceLastQuery(name: ApiName): number {
    if (name !== "query") return Number.POSITIVE_INFINITY;
    const now = Date.now();
    const since = now - this.#lastQueryAt;
    this.#lastQueryAt = now;
    return since;
  }

  #counter(): Counter {
    const starting = startingSettings(this.env.SANDBOX_PACE);
    const settings = (): Settings => ({ ...starting, ...this.ctx.storage.kv.get<Partial<Settings>>("settings") });
    return {
      store: this.#store,
      merchant: this.#merchant,
      get settings() {
        return settings();
      },
      change: (change) => this.#change(change),
      plan: (subject, from, afterMs, event) =>
        this.#store.addEvent(subject, from + afterMs * (settings().pace || 1), event),
      nextNumber: () => this.#count("numbers"),
    };
  }

  #change(change: Partial<Settings>): void {
    this.ctx.storage.kv.put("settings", { ...this.ctx.storage.kv.get<Partial<Settings>>("settings"), ...change });
  }

  #touch(): void {
    this.#count("revision");
  }

  #count(name: "numbers" | "revision"): number {
    const next = (this.ctx.storage.kv.get<number>(name) ?? 0) + 1;
    this.ctx.storage.kv.put(name, next);
    return next;
  }

  /** Sets the alarm for the next event. */
  async #arm(): Promise<void> {
    const due = this.#store.nextDue();
    if (due === null) {
      await this.ctx.storage.deleteAlarm();
      return;
    }
    const isClockStopped = (await this.settings()).pace === 0;
    await this.ctx.storage.setAlarm(isClockStopped ? Date.now() + STOPPED_CLOCK_ALARM_MS : due);
  }
}
