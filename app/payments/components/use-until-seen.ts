import { useState } from "react";
import type { PaymentState } from "#app/payments/collect/attempt-rules.ts";

type Status = PaymentState["paymentStatus"];

/** What the page has shown of the payment since an answer. */
export interface Sight {
  answer: unknown;
  /** When the answer came. */
  status: Status;
  /** The loads of the page's data since then. */
  loads: number;
  /** Another object after each load. */
  loaded: unknown;
}

/**
 * As many loads without a trace of the request, half a minute of polls, mean that it never arrived. While our records
 * can't be read, no load succeeds, so none counts.
 */
export const LOADS = 6;

/** The same `last` where nothing has changed. */
export function followPayment(
  last: Sight | null,
  { answer, status, loaded }: Pick<Sight, "answer" | "status" | "loaded">,
): Sight {
  if (!last || last.answer !== answer) return { answer, status, loads: 0, loaded };
  if (last.loaded === loaded) return last;
  return { ...last, loaded, loads: status === last.status ? last.loads + 1 : LOADS };
}

/**
 * What was answered to the last press, or null once the page shows what came of it. `loaded` is an object of the page's
 * data.
 */
export function useUntilSeen<Answer>(answer: Answer | null, status: Status, loaded: object): Answer | null {
  const [last, setLast] = useState<Sight | null>(null);
  const sight = followPayment(last, { answer, status, loaded });
  if (sight !== last) setLast(sight);
  return sight.loads < LOADS ? answer : null;
}
