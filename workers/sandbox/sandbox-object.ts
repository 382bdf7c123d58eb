import { DurableObject } from "cloudflare:workers";
import { type Activity, type MailView, mailView, messageView, payoutView, promptView } from "./activity.ts";
import { BY_PEOPLE } from "./chooser.ts";
import type { SandboxEnv } from "./env.ts";
import { systemRandom } from "./identifiers.ts";
import { addEarlier, type EarlierPayments, statementOf } from "./lists.ts";
import { type ApiName, type DarajaRequest, MPesa } from "./m-pesa.ts";
import type { IncomingMail } from "./mail.ts";
import { merchantOf } from "./merchant.ts";
import type { HandsetOutcome } from "./outcomes.ts";
import { answerPrompt, type HandsetAnswer } from "./payments.ts";
import { sendByHand } from "./payouts.ts";
import {
  listPushes,
  type PushRequest,
  type PushView,
  type SandboxSubscription,
  subscribe,
  takePush,
} from "./push-service.ts";
import type { Settings } from "./settings.ts";
import type { Store, TimedEvent } from "./store.ts";
import type { WireAnswer } from "./wire-answer.ts";
import { DAY_MS } from "#app/platform/duration-rules.ts";

/** The most prompts, and the most payouts, that are shown. */
const MOST_LISTED = 200;
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
const STOPPED_CLOCK_ALARM_MS = DAY_MS;

/**
 * The whole state of the sandbox, in one Durable Object: the pretend M-Pesa, a mailbox and a push service. Alarms let
 * time pass. At pace 0 a test runs each alarm, which takes the next step of every payment and payout.
 */
export class SandboxObject extends DurableObject<SandboxEnv> {
  #mPesa: MPesa;
  #store: Store;

  constructor(ctx: DurableObjectState, env: SandboxEnv) {
    super(ctx, env);
    this.#mPesa = new MPesa({
      storage: ctx.storage,
      merchant: merchantOf(env),
      pace: env.SANDBOX_PACE,
      now: () => Date.now(),
      random: systemRandom,
      chooser: BY_PEOPLE,
    });
    this.#store = this.#mPesa.store;
  }

  /** Answers a token request. */
  async grantToken(authorization: string | undefined, grantType: string | undefined): Promise<WireAnswer> {
    return this.#mPesa.grantToken(authorization, grantType);
  }

  /** Answers a request to one of Daraja's APIs. */
  async call(name: ApiName, request: DarajaRequest): Promise<WireAnswer> {
    const answer = this.#mPesa.call(name, request);
    this.#touch();
    await this.#arm();
    return answer;
  }

  /** A person answers a prompt on the handset. */
  async answerPrompt(checkoutRequestId: string, outcome: HandsetOutcome): Promise<HandsetAnswer> {
    const answer = answerPrompt(this.#mPesa, checkoutRequestId, outcome);
    this.#touch();
    await this.#arm();
    return answer;
  }

  /** All stored prompts, payouts and messages. */
  async activity(): Promise<Activity> {
    const deliveries = this.#store.listDeliveries();
    const reversed = new Set(this.#store.listReversed().map(({ original_receipt }) => original_receipt));
    return {
      revision: await this.revision(),
      prompts: this.#store.listPrompts(MOST_LISTED).map((row) => promptView(row, deliveries, reversed)),
      payouts: this.#store.listPayouts(MOST_LISTED).map((row) => payoutView(row, deliveries)),
      messages: this.#store.listMessages().map(messageView),
    };
  }

  /** Grows with every change. */
  async revision(): Promise<number> {
    return this.ctx.storage.kv.get<number>("revision") ?? 0;
  }

  async settings(): Promise<Settings> {
    return this.#mPesa.settings;
  }

  /** Changes the fault settings; null resets all of them. Returns the current settings. */
  async changeSettings(change: Partial<Settings> | null): Promise<Settings> {
    if (change === null) this.#mPesa.resetSettings();
    else this.#mPesa.change(change);
    await this.#arm();
    return this.settings();
  }

  /** Somebody sends KES `amount` by hand in M-Pesa's portal. Returns the receipt. */
  async sendByHand(phone: string, amount: number): Promise<string> {
    const receipt = sendByHand(this.#mPesa, phone, amount);
    this.#touch();
    return receipt;
  }

  /** The statement of one of the merchant's accounts as a CSV file. Times in ms. */
  async statement(asked: { account: "collection" | "payouts"; from: number; until: number }): Promise<string> {
    return statementOf(this.#mPesa, asked);
  }

  /** Payments that M-Pesa made before there was this sandbox. */
  async addEarlier(earlier: EarlierPayments): Promise<void> {
    addEarlier(this.#mPesa, earlier);
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
    const { settings, change } = this.#mPesa;
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
    const sending = this.#mPesa
      .act()
      .flatMap(({ subject, event }) => (event.kind === "send" ? [this.#send(subject, event)] : []));
    this.#touch();
    await this.#arm();
    const timeouts = this.#mPesa.settings.pace === 0 ? [] : [scheduler.wait(ALARM_TIMEOUT_MS)];
    await Promise.race([Promise.all(sending), ...timeouts]);
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

  #touch(): void {
    this.ctx.storage.kv.put("revision", (this.ctx.storage.kv.get<number>("revision") ?? 0) + 1);
  }

  /** Sets the alarm for the next event. */
  async #arm(): Promise<void> {
    const due = this.#mPesa.nextDue();
    if (due === null) {
      await this.ctx.storage.deleteAlarm();
      return;
    }
    const isClockStopped = this.#mPesa.settings.pace === 0;
    await this.ctx.storage.setAlarm(isClockStopped ? Date.now() + STOPPED_CLOCK_ALARM_MS : due);
  }
}
