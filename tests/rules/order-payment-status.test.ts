import { describe, expect, test } from "vitest";
import type { OrderStatus } from "#app/db/states/order.ts";
import {
  isUnderWay,
  orderPaymentStatus,
  type OrderPaymentStatus,
  paymentNote,
  type Refund,
} from "#app/orders/order-payment-rules.ts";
import { type ClosedReason, CLOSED_REASONS } from "#app/db/states/order.ts";
import { comingBackText, FAILURE_TEXTS, refundDelayedText, REVIEW_TEXTS } from "#app/payments/payment-texts.ts";
import { followPayment, LOADS, type Sight } from "#app/payments/components/use-until-seen.ts";
import type { PaymentState } from "#app/payments/collect/attempt-rules.ts";
import {
  closedOrder,
  confirmationOf,
  type OrderState,
  PAYMENT_BADGES,
} from "#app/payments/collect/order-payment-texts.ts";

const ID = "0a1b2c3d-0000-4000-8000-000000000000";
const LATER = "9a1b2c3d-0000-4000-8000-000000000000";
const MONEY_BACK: ClosedReason[] = ["paid_in_another_order", "sold_to_someone_else"];
const ORDER_STATUSES: OrderStatus[] = ["pending_payment", "pending", "processing", "shipped", "delivered", "expired"];
const DUE: Refund = { open: 1_500, delayedAmount: 0, inQuestion: 0, sentBack: 0, receipt: null, sentAt: null };
const SENT: Refund = {
  open: 0,
  delayedAmount: 0,
  inQuestion: 0,
  sentBack: 1_500,
  receipt: "UKM1REFUND",
  sentAt: 1_700_000_000_000,
};
/** M-Pesa only said that the payment was reversed before. */
const SENT_UNNAMED: Refund = { ...SENT, receipt: null };
const PAYMENT_STATUSES: PaymentState["paymentStatus"][] = ["pending", "processing", "completed", "failed"];

function state(given: Partial<OrderState>): OrderState {
  return {
    id: ID,
    orderStatus: "pending_payment",
    paymentStatus: "pending",
    paymentReview: null,
    paymentFailure: null,
    closedReason: null,
    replacedBy: null,
    amount: 1_500,
    refund: null,
    ...given,
  };
}

/** Every combination of order status, payment status, closed reason, review and refund. */
const EVERY = ORDER_STATUSES.flatMap((orderStatus) =>
  PAYMENT_STATUSES.flatMap((paymentStatus) =>
    closings(orderStatus).flatMap((closing) =>
      reviews(paymentStatus).flatMap((paymentReview) =>
        [null, DUE, SENT, SENT_UNNAMED].map((refund) =>
          state({ orderStatus, paymentStatus, paymentReview, refund, ...closing }),
        ),
      ),
    ),
  ),
);

function reviews(paymentStatus: PaymentState["paymentStatus"]): PaymentState["paymentReview"][] {
  return paymentStatus === "processing" ? [null, "mismatch"] : [null];
}

function closings(orderStatus: OrderStatus): Pick<OrderState, "closedReason" | "replacedBy">[] {
  if (orderStatus !== "expired") return [{ closedReason: null, replacedBy: null }];
  return CLOSED_REASONS.map((closedReason) => ({
    closedReason,
    replacedBy: closedReason === "replaced" || closedReason === "paid_in_another_order" ? LATER : null,
  }));
}

describe("an order and its payment", () => {
  // Columns in the order of PAYMENT_STATUSES. A processing payment has no closed reason.
  const open = "unpaid waiting paid failed";
  const table: Record<OrderStatus, string> = {
    pending_payment: open,
    pending: open,
    processing: open,
    shipped: open,
    delivered: open,
    cancelled: open,
    expired: "expired waiting paid expired",
  };
  const cases = Object.entries(table).flatMap(([orderStatus, row]) =>
    row
      .split(" ")
      .map(
        (status, n) =>
          [
            orderStatus as OrderStatus,
            PAYMENT_STATUSES[n] as PaymentState["paymentStatus"],
            status as OrderPaymentStatus,
          ] as const,
      ),
  );
  test.each(cases)("%s, payment %s: %s", (orderStatus, paymentStatus, status) => {
    expect(
      orderPaymentStatus(
        state({ orderStatus, paymentStatus, paymentFailure: paymentStatus === "failed" ? "cancelled" : null }),
      ),
    ).toBe(status);
    const later = { ...state({ orderStatus, paymentStatus }), closedReason: "replaced", replacedBy: LATER } as const;
    expect(orderPaymentStatus(later)).toBe(status === "expired" ? "replaced" : status);
  });

  test.each([null, LATER])(
    "money that goes back is said to go back, whatever order took the place (%s)",
    (replacedBy) => {
      for (const closedReason of MONEY_BACK) {
        const order = state({ orderStatus: "expired", paymentStatus: "failed", closedReason, replacedBy, refund: DUE });
        expect(orderPaymentStatus(order)).toBe("refunding");
        expect(closedOrder(order, [])).toMatchObject({
          title: "Your money is coming back",
          sentence: comingBackText(closedReason),
        });
        expect(paymentNote(order)).toBe("Your money is coming back");
      }
    },
  );

  test("money that can't be sent back yet isn't said to be on its way", () => {
    const parked = { ...DUE, delayedAmount: DUE.open };
    const order = state({
      orderStatus: "expired",
      paymentStatus: "failed",
      closedReason: "account_closed",
      refund: parked,
    });
    expect(closedOrder(order, [])?.sentence).toBe(refundDelayedText(DUE.open));
    expect(paymentNote(order)).toBe("Your money isn't back yet");
  });

  test("an expired order leads back to where it was placed", () => {
    const expired = state({ orderStatus: "expired", paymentStatus: "failed" });
    const items = [{ productId: "p1" }];
    expect(closedOrder({ ...expired, source: "buy_now" }, items)?.next.to).toBe("/product/p1");
    expect(closedOrder({ ...expired, source: "cart" }, items)?.next.to).toBe("/cart");
  });

  test.each([null, LATER])(
    "money that was sent back is said to be, with its receipt, and nothing is promised any more (%s)",
    (replacedBy) => {
      for (const closedReason of MONEY_BACK) {
        const order = state({
          orderStatus: "expired",
          paymentStatus: "failed",
          closedReason,
          replacedBy,
          refund: SENT,
        });
        expect(orderPaymentStatus(order)).toBe("refunded");
        expect(closedOrder(order, [])).toMatchObject({
          title: "Your money was sent back",
          sentence: expect.stringMatching(/we have sent .* back to you\. The M-Pesa receipt is UKM1REFUND\.$/),
        });
        expect(confirmationOf(order).lead).not.toContain("we are sending");
        expect(paymentNote(order)).toBe("Your money was sent back");
      }
    },
  );

  test("a payment that a person looks into is neither waited for as usual nor given up, even in a closed order", () => {
    for (const orderStatus of ["pending_payment", "expired"] as const)
      expect(orderPaymentStatus(state({ orderStatus, paymentStatus: "processing", paymentReview: "mismatch" }))).toBe(
        "under_review",
      );
  });
});

test("a list says in a few words how an order stands with its payment: never that it was not paid in time where money came, nor that M-Pesa is waited for where we look into it", () => {
  const note = (given: Partial<OrderState>) => paymentNote(state(given));
  expect([
    note({}),
    note({ paymentStatus: "processing" }),
    note({ paymentStatus: "failed" }),
    note({ paymentStatus: "completed" }),
    note({ paymentStatus: "completed", amount: 0 }),
  ]).toEqual(["Not paid yet", "Waiting for M-Pesa", "Payment failed", "Paid", "Free"]);
  expect([
    note({ orderStatus: "expired" }),
    note({ orderStatus: "expired", closedReason: "replaced", replacedBy: LATER }),
  ]).toEqual(["Not paid in time", "Replaced by a newer order"]);
  for (const order of EVERY) {
    if (order.refund && order.closedReason && MONEY_BACK.includes(order.closedReason))
      expect(paymentNote(order)).not.toMatch(/in time|again/);
    if (orderPaymentStatus(order) === "under_review") expect(paymentNote(order)).toBe("We are checking your payment");
  }
});

describe("the confirmation page, over every combination", () => {
  test("never promises of a closed order that it is kept, can be paid, or is about to be confirmed", () => {
    const closed = EVERY.filter(
      (order) =>
        order.orderStatus === "expired" && (order.paymentStatus === "pending" || order.paymentStatus === "failed"),
    );
    expect(closed.length).toBeGreaterThan(0);
    for (const order of closed) {
      const said = confirmationOf(order);
      expect(said).toMatchObject({ mark: "closed", paper: "Closed", note: null });
      expect(`${said.title} ${said.lead}`).not.toMatch(
        /once you pay|try to pay again|still being processed|confirmed|Received/,
      );
      expect(isUnderWay(said.status)).toBe(false);
      expect(said.next.to).not.toContain(ID);
      expect(["Not paid", "Refund", "Refunded"]).toContain(PAYMENT_BADGES[said.status].label);
    }
  });

  test("asks again by itself only while money is under way", () => {
    for (const order of EVERY) expect(isUnderWay(orderPaymentStatus(order))).toBe(order.paymentStatus === "processing");
  });

  test("leads to the checkout exactly those who can pay, and to the later order those whose order it replaced", () => {
    for (const order of EVERY) {
      const payable =
        order.orderStatus !== "expired" && (order.paymentStatus === "pending" || order.paymentStatus === "failed");
      const { next } = confirmationOf(order);
      expect(next.to === `/checkout/${ID}`).toBe(payable);
      expect(next.to === `/checkout/${LATER}`).toBe(
        order.replacedBy !== null && order.orderStatus === "expired" && !payable && closedOrder(order, []) !== null,
      );
    }
  });

  test("shows the spec's heads, notes and badges of an order that is open", () => {
    const shown = (given: Partial<OrderState>) => {
      const { status, title, note, next } = confirmationOf(state(given));
      return [title, PAYMENT_BADGES[status].label, note?.text ?? null, next.label];
    };
    expect(shown({ orderStatus: "processing", paymentStatus: "completed" })).toEqual([
      "Order Confirmed!",
      "Paid",
      null,
      "Track Order",
    ]);
    expect(confirmationOf(state({ orderStatus: "delivered", paymentStatus: "completed" })).lead).not.toMatch(
      /will message you/,
    );
    expect(shown({ paymentStatus: "processing" })).toEqual([
      "Order Received",
      "Pending",
      "Your payment is still being processed. We will update the status once confirmed.",
      "Track Order",
    ]);
    expect(shown({ paymentStatus: "processing", paymentReview: "mismatch" })).toEqual([
      "We are checking your payment",
      "Pending",
      REVIEW_TEXTS.mismatch,
      "Track Order",
    ]);
    expect(shown({ paymentStatus: "failed", paymentFailure: "cancelled" })).toEqual([
      "Payment Failed",
      "Failed",
      FAILURE_TEXTS.cancelled,
      "Try Payment Again",
    ]);
    expect(shown({})).toEqual(["Order Received", "Pending", null, "Complete Your Payment"]);
    expect(shown({ amount: 0 })).toEqual(["Order Received", "Pending", null, "Confirm Order"]);
  });
});

test("what was answered to a press stays until the page shows what came of it, or half a minute of loads shows nothing", () => {
  const answer = { unsure: true };
  const load = (last: Sight | null, status: Sight["status"], of: unknown = answer) =>
    followPayment(last, { answer: of, status, loaded: {} });
  const after = (...statuses: Sight["status"][]) =>
    statuses.reduce<Sight | null>((last, status) => load(last, status), null)?.loads ?? 0;
  expect(after("pending", "pending", "pending")).toBeLessThan(LOADS);
  expect(after(...Array.from({ length: LOADS + 1 }, () => "pending" as const))).toBe(LOADS);
  for (const [then, now] of [
    ["pending", "processing"],
    ["pending", "failed"],
    ["failed", "processing"],
  ] as const)
    expect(after(then, now)).toBeGreaterThanOrEqual(LOADS);
  // The number was changed in another tab: the order awaits payment again, and the answer stays over.
  expect(after("pending", "processing", "pending")).toBeGreaterThanOrEqual(LOADS);
  // A failed earlier try says nothing about this one.
  expect(after("failed", "failed")).toBeLessThan(LOADS);
  const next = load(load(null, "pending"), "pending", { unsure: true });
  expect(next.loads).toBe(0);
  expect(followPayment(next, next)).toBe(next);
});
