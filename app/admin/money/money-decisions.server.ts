/** The forms of the money page, for the page itself and for a second admin who confirms what another one sent there. */
import type { z } from "zod";
import { startPayout } from "#app/payments/transfers/start-payout.server.ts";
import type { PaymentServices } from "#app/payments/payment-services.ts";
import { advanceTransfer } from "#app/payments/transfers/send-transfer.server.ts";
import type { moneyForm } from "./money-forms.ts";
import type { Admin } from "#app/team/perform-act.server.ts";
import { acceptPayment, dismissPayment, isOwnMoney, resolveDiscrepancy } from "./money-moves.server.ts";
import type { MoneyOutcome } from "./money-texts.ts";
import { parkDuePayout, recordTransfer, reserveTransfer, retryTransfer } from "./transfer-moves.server.ts";

export interface MoneyDecisionServices extends PaymentServices {
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
      const retried = await retryTransfer(services, admin, form, { reserved: form.reserved });
      if (!retried) return "stale";
      if (retried === "proposed") return retried;
      services.defer(
        retried.kind === "payout"
          ? startPayout(services, retried.id, retried.orderItemId)
          : advanceTransfer(services, retried),
      );
      return retried.kind === "payout" ? "retried" : "refund_retried";
    }
    case "reserve": {
      const reserved = await reserveTransfer(services, admin, form);
      if (reserved === "number_changed" || reserved === "no_number") return reserved;
      return reserved === "reported" ? "payout_reported" : reserved ? "reserved" : "stale";
    }
    case "park":
      return (await parkDuePayout(services, admin, form.id, form.reason)) ? "parked" : "stale";
    case "record": {
      const recorded = await recordTransfer(services, admin, form, form.receipt);
      if (!recorded.ok) return RECEIPT_REFUSED[recorded.code];
      return form.kind === "payout" ? "payout_recorded" : "refunded";
    }
    case "accept": {
      const accepted = await acceptPayment(services, admin, form.id, form.receipt);
      return accepted.ok ? "payment_accepted" : RECEIPT_REFUSED[accepted.code];
    }
    case "dismiss": {
      const dismissed = await dismissPayment(services, admin, form.id, form.reason);
      return dismissed === true ? "payment_dismissed" : dismissed || "stale";
    }
    case "resolve":
      return (await resolveDiscrepancy(services, admin, form.id, form.resolution)) ? "resolved" : "stale";
  }
}
