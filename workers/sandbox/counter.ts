import type { Merchant } from "./merchant.ts";
import type { Settings } from "./settings.ts";
import type { Store, TimedEvent } from "./store.ts";
import { systemRandom } from "./identifiers.ts";
import { requestId } from "./identifiers.ts";
import { answerRefusal, type Refusal, type WireAnswer } from "./wire-answer.ts";

/** What the sandbox's services work with. */
export interface Counter {
  store: Store;
  merchant: Merchant;
  settings: Settings;
  change(change: Partial<Settings>): void;
  /** Lets an event happen `afterMs` (before the pace is applied) after the moment `from`, ms. */
  plan(subject: string, from: number, afterMs: number, event: TimedEvent): void;
  /** A number that has not been given out before. */
  nextNumber(): number;
}

/** A refusal with a request id of its own. */
export function refuse(counter: Counter, refusal: Refusal): WireAnswer {
  return answerRefusal(refusal, requestId(counter.nextNumber(), systemRandom));
}
