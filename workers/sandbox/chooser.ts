/** Who decides what becomes of a request: the phone's ending and the fault settings, or another chooser of the host. */
import type { CallbackQuirks } from "./callback-bodies.ts";
import { type Counter, firewallPage, refuse } from "./counter.ts";
import {
  DELAYS_MS,
  payoutScriptFor,
  type PayoutScript,
  type PushScript,
  pushScriptFor,
  type PushStep,
  type RefundScript,
  RESULT,
  reversalScriptFor,
} from "./outcomes.ts";
import type { ApiName } from "./m-pesa.ts";
import type { PayoutInput, PushInput } from "./requests.ts";
import type { PromptRow } from "./store.ts";
import { answerEmpty, answerLost, invalid, REFUSALS, type Refusal, type WireAnswer } from "./wire-answer.ts";

export interface Chooser {
  /** Answers before M-Pesa has the request, or throws as a lost connection does; null: M-Pesa has it. */
  onTheWay(counter: Counter, api: ApiName | "token"): WireAnswer | null;
  /** Whether the access token ends now, before its time. */
  endsToken(): boolean;
  /** Whether the answer to what M-Pesa has done is lost. */
  losesAnswer(): boolean;
  /** What arrives in place of a lost answer. Throws as a lost connection does. */
  lose(counter: Counter): WireAnswer;
  payment(counter: Counter, input: PushInput): PushScript;
  /** How a callback of a payment is written. */
  quirks(counter: Counter): CallbackQuirks;
  /** A query's answer that isn't the truth: a refusal, or a result code. Null for the truth. */
  query(counter: Counter, prompt: PromptRow): Refusal | { reports: string } | null;
  /** A payout's refusal before M-Pesa knows whether it had it before (`isKnown`); null for none. */
  turnAway(counter: Counter, input: PayoutInput, isKnown: boolean): Refusal | null;
  payout(counter: Counter, input: PayoutInput): PayoutScript;
  /**
   * `payer`: the phone whose payment goes back; empty for an unknown payment. `isRepeated`: it has gone back before.
   */
  reversal(counter: Counter, payer: string, isRepeated: boolean): RefundScript;
  /** When the answer of a look-up comes, in ms; null: never. */
  lookUp(counter: Counter): number | null;
  /** How long a payment is missing in the list, in ms. */
  listLagMs(): number;
}

/** People decide: by the last two digits of a phone, and by the fault settings. */
export const BY_PEOPLE: Chooser = {
  onTheWay(counter, api) {
    const { settings, change } = counter;
    if (api === "token" && settings.emptyToken > 0) {
      change({ emptyToken: settings.emptyToken - 1 });
      return answerEmpty(400);
    }
    if (api === "token" && settings.tokenPage > 0) {
      change({ tokenPage: settings.tokenPage - 1 });
      return { ...firewallPage(counter), status: 400 };
    }
    if (api === "push" && settings.html403 > 0) {
      change({ html403: settings.html403 - 1 });
      return firewallPage(counter);
    }
    if (api === "push" && settings.systemBusy > 0) {
      change({ systemBusy: settings.systemBusy - 1 });
      return refuse(counter, REFUSALS.systemBusy);
    }
    return null;
  },
  endsToken: () => false,
  losesAnswer: () => false,
  lose: answerLost,
  payment({ settings }, { phone }) {
    const script = pushScriptFor(phone);
    const { resultCode, pace } = settings;
    const steps = script.waitsForHandset ? atHandsetPace(script.steps, pace) : script.steps;
    if (resultCode === "") return { ...script, steps };
    return { ...script, steps: steps.map((step) => (step.code === "0" ? { ...step, code: resultCode } : step)) };
  },
  quirks: ({ settings }) => settings,
  query({ settings }, { queries }) {
    return settings.queryNoise > 0 && (queries + 1) % settings.queryNoise === 0 ? REFUSALS.noise : null;
  },
  turnAway({ settings, change }) {
    if (settings.badRemarks === 0) return null;
    change({ badRemarks: settings.badRemarks - 1 });
    return invalid("Remarks");
  },
  payout: (_, { phone }) => payoutScriptFor(phone),
  // The phone's ending decides about the first request. Later ones are answered, so that asking again helps.
  reversal: (_, payer, isRepeated) => ({ ...reversalScriptFor(payer), ...(isRepeated && { news: RESULT }) }),
  lookUp: () => DELAYS_MS.lookUpAnswers,
  listLagMs: () => 0,
};

/** A pace below 1 hurries the scripts, but not the people who answer on the handset. */
function atHandsetPace(steps: readonly PushStep[], pace: number): readonly PushStep[] {
  return pace > 0 && pace < 1 ? steps.map((step) => ({ ...step, afterMs: step.afterMs / pace })) : steps;
}
