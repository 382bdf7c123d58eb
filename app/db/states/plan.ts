import { predicates } from "./predicates.ts";

/** `subscriptions.status`. */
export const PLAN_STATUSES = ["pending_payment", "active", "ended"] as const;

export const PLAN = predicates(PLAN_STATUSES, {
  awaitsPayment: ["pending_payment"],
  isActive: ["active"],
  isOpen: ["pending_payment", "active"],
});
