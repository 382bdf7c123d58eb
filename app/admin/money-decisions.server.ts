/** The forms of the money page, for the page itself and for a second admin who confirms what another one sent there. */
import type { z } from "zod";
import { startPayout } from "#app/payments/payment-api.server.ts";
import type { PaymentServices } from "#app/payments/payment-services.ts";
import { advanceRefund } from "#app/payments/refunds.server.ts";
import type { moneyForm } from "./admin-forms.ts";
import type { Admin } from "./admin-pages.server.ts";
import type { ADMIN_TEXTS } from "./admin-rules.ts";
import {
  acceptPayment,
  dismissPayment,
  isOwnMoney,
  parkDuePayout,
  recordPayout,
  recordRefund,
  reservePayout,
  reserveRefund,
  resolveDiscrepancy,
  retryParkedPayout,
  retryParkedRefund,
} from "./money-moves.server.ts";

/** A key of the messages of the admin pages. */
export type MoneyOutcome = Extract<
  keyof typeof ADMIN_TEXTS,
  | "retried"
  | "parked"
  | "reserved"
  | "payout_reported"
  | "sent_twice"
  | "refunded"
  | "refund_retried"
  | "resolved"
  | "stale"
  | "payment_accepted"
  | "payment_dismissed"
  | "payout_recorded"
  | "receipt_used"
  | "receipt_other"
  | "receipt_of_another"
  | "receipt_unreachable"
  | "own_money"
  | "proposed"
>;

interface MoneyDecisionServices extends PaymentServices {
  /** Goes on with work after the response. */
  defer(work: Promise<unknown>): void;
}

const RECEIPT_REFUSED = {
  used: "receipt_used",
  other: "receipt_other",
  another: "receipt_of_another",
  unreachable: "receipt_unreachable",
  stale: "stale",
  sent_twice: "sent_twice",
  proposed: "proposed",
} as const satisfies Record<string, MoneyOutcome>;

/** Does what a form of the money page asks for, unless it is the admin's own money or needs a second admin. */
export async function decideMoney(
  services: MoneyDecisionServices,
  admin: Admin,
  form: z.infer<typeof moneyForm>,
): Promise<MoneyOutcome> {
  if (await isOwnMoney(services, admin.id, form.id)) return "own_money";
  switch (form.intent) {
    case "retry": {
      const retried = await retryParkedPayout(services, admin, form.id, form);
      if (!retried) return "stale";
      if (retried === "proposed") return retried;
      services.defer(startPayout(services, form.id, retried.orderItemId));
      return "retried";
    }
    case "reserve": {
      const reserved = await reservePayout(services, admin, form.id);
      return reserved === "reported" ? "payout_reported" : reserved ? "reserved" : "stale";
    }
    case "reserve-refund":
      return (await reserveRefund(services, admin, form.id)) ? "reserved" : "stale";
    case "park":
      return (await parkDuePayout(services, admin, form.id, form.reason)) ? "parked" : "stale";
    case "refund": {
      const refunded = await recordRefund(services, admin, form.id, form.receipt);
      return refunded.ok ? "refunded" : RECEIPT_REFUSED[refunded.code];
    }
    case "retry-refund": {
      const retried = await retryParkedRefund(services, admin, form.id, form);
      if (retried !== true) return retried || "stale";
      services.defer(advanceRefund(services, form.id));
      return "refund_retried";
    }
    case "accept": {
      const accepted = await acceptPayment(services, admin, form.id, form.receipt);
      return accepted.ok ? "payment_accepted" : RECEIPT_REFUSED[accepted.code];
    }
    case "dismiss": {
      const dismissed = await dismissPayment(services, admin, form.id, form.reason);
      return dismissed === true ? "payment_dismissed" : dismissed || "stale";
    }
    case "paid": {
      const paid = await recordPayout(services, admin, form.id, form.receipt);
      return paid.ok ? "payout_recorded" : RECEIPT_REFUSED[paid.code];
    }
    case "resolve":
      return (await resolveDiscrepancy(services, admin, form.id, form.resolution)) ? "resolved" : "stale";
  }
}
