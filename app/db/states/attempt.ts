import { predicates } from "./predicates.ts";

/** `payment_attempts.state`. */
export const ATTEMPT_STATES = [
  "created",
  "pushed",
  "unknown",
  "succeeded",
  "failed",
  "refused",
  "expired",
  "held",
] as const;
export type AttemptState = (typeof ATTEMPT_STATES)[number];

export const ATTEMPT = predicates(ATTEMPT_STATES, {
  /** The payer may be about to pay, so no second prompt may be sent. */
  isLive: ["created", "pushed", "unknown"],
  /** Live, or checked by our team. */
  isUnderWay: ["created", "pushed", "unknown", "held"],
  /** Our team checks it. The glossary says what else is held. */
  isHeld: ["held"],
  isPaid: ["succeeded"],
  isUnpaid: ["created", "pushed", "unknown", "failed", "refused", "expired", "held"],
  /** M-Pesa refused. */
  isFailed: ["failed", "refused"],
  isExpired: ["expired"],
  /** The payer was asked, or may have been, and didn't pay. */
  endedUnpaid: ["failed", "expired"],
  /** M-Pesa accepted the request, or may have, so the prompt may have appeared on the phone. */
  reachedPhone: ["created", "pushed", "unknown", "succeeded", "failed", "expired", "held"],
});
