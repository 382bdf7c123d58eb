import type { Chooser } from "./chooser.ts";
import { type Random, requestId } from "./identifiers.ts";
import type { Merchant } from "./merchant.ts";
import type { Settings } from "./settings.ts";
import type { Store, TimedEvent } from "./store.ts";
import { answerFirewall, answerRefusal, type Refusal, type WireAnswer } from "./wire-answer.ts";

/** What the functions of the pretend M-Pesa work with. */
export interface Counter {
  store: Store;
  merchant: Merchant;
  settings: Settings;
  /** Milliseconds since 1970. */
  now(): number;
  random: Random;
  chooser: Chooser;
  change(change: Partial<Settings>): void;
  /** Schedules an event `afterMs` (before the pace is applied) after the moment `from`, ms. */
  plan(subject: string, from: number, afterMs: number, event: TimedEvent): void;
  /** A number that was never used before. */
  nextNumber(): number;
}

/** A refusal with its own request id. */
export function refuse(counter: Counter, refusal: Refusal): WireAnswer {
  return answerRefusal(refusal, newRequestId(counter));
}

export function newRequestId(counter: Counter): string {
  return requestId(counter.nextNumber(), counter.random);
}

/** The firewall's page, with its own incident number. */
export function firewallPage(counter: Counter): WireAnswer {
  return answerFirewall(String(counter.nextNumber()).padStart(18, "0"));
}
