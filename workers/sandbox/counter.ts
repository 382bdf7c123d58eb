import type { Merchant } from "./merchant.ts";
import type { Settings } from "./settings.ts";
import type { Store, TimedEvent } from "./store.ts";
import { systemRandom } from "./identifiers.ts";
import { requestId } from "./identifiers.ts";
import { answerRefusal, type Refusal, type WireAnswer } from "./wire-answer.ts";

/** What the sandbox's functions work with. */
export interface Counter {
  store: Store;
  merchant: Merchant;
  settings: Settings;
  change(change: Partial<Settings>): void;
  /** Schedules an event `afterMs` (before the pace is applied) after the moment `from`, ms. */
  plan(subject: string, from: number, afterMs: number, event: TimedEvent): void;
  /** A number that was never used before. */
  nextNumber(): number;
}

/** A refusal with its own request id. */
export function refuse(counter: Counter, refusal: Refusal): WireAnswer {
  return answerRefusal(refusal, requestId(counter.nextNumber(), systemRandom));
}
