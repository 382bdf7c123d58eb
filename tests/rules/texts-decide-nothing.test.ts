/** Rewording a text may only change what people read, because codes decide everything else. */
import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test, vi } from "vitest";
import {
  CLOSED_REASONS,
  ORDER_STATUSES,
  PAYMENT_FAILURES,
  PAYMENT_REVIEWS,
  PAYMENT_STATUSES,
} from "#app/db/states/order.ts";
import { WAIT_REASONS } from "#app/db/states/transfer.ts";

const root = resolve(import.meta.dirname, "../..");

/** The decisions of the rules in every case, as one text. */
async function decisions(): Promise<string> {
  vi.resetModules();
  const { orderPaymentStatus } = await import("#app/orders/order-payment-rules.ts");
  const { closedOrder, confirmationOf } = await import("#app/payments/collect/order-payment-texts.ts");
  const { canSellerRetry } = await import("#app/payments/transfers/transfer-rules.ts");
  const orders = ORDER_STATUSES.flatMap((orderStatus) =>
    PAYMENT_STATUSES.flatMap((paymentStatus) =>
      [null, ...CLOSED_REASONS].flatMap((closedReason) =>
        [null, ...PAYMENT_REVIEWS].map((paymentReview) => {
          const order = {
            id: "this",
            orderStatus,
            paymentStatus,
            paymentReview,
            paymentFailure: paymentStatus === "failed" ? ("cancelled" as const) : null,
            closedReason,
            replacedBy: closedReason === "replaced" ? "newer" : null,
            amount: 100,
            refund: null,
          };
          const { status, mark, next } = confirmationOf(order);
          return [orderPaymentStatus(order), status, mark, next.to, closedOrder(order, []) === null];
        }),
      ),
    ),
  );
  return JSON.stringify([orders, WAIT_REASONS.map(canSellerRetry)]);
}

test("with every sentence reworded, the rules decide as before", async () => {
  const before = await decisions();
  vi.doMock("#app/payments/payment-texts.ts", () => ({
    comingBackText: () => "reworded",
    sentBackText: () => "reworded",
    unpaidText: () => "reworded",
  }));
  try {
    expect(await decisions()).toBe(before);
  } finally {
    // Other files use the same module cache.
    vi.doUnmock("#app/payments/payment-texts.ts");
    vi.resetModules();
  }
});

test("no code compares a text, or writes one into a query", () => {
  const compared = /[=!]==\s*[A-Z][A-Z_]*_TEXTS?\b|\b[A-Z][A-Z_]*_TEXTS?(?:\.\w+|\[[^\]]+\])?\s*[=!]==/g;
  const stored = /sql`[^`]*\$\{[A-Z][A-Z_]*_TEXTS?\b/g;
  const found = globSync("{app,workers}/**/*.{ts,tsx}", {
    cwd: root,
  }).flatMap((path) => {
    const source = readFileSync(resolve(root, path), "utf8");
    return [...source.matchAll(compared), ...source.matchAll(stored)].map((match) => `${path}: ${match[0]}`);
  });
  expect(found).toEqual([]);
});

test("every failure and every review has a sentence for the payer", async () => {
  const { unpaidText } = await import("#app/payments/payment-texts.ts");
  for (const paymentFailure of PAYMENT_FAILURES)
    expect(unpaidText({ paymentReview: null, paymentFailure })).toMatch(/^[A-Z].{20,}\.$/);
  for (const paymentReview of PAYMENT_REVIEWS)
    expect(unpaidText({ paymentReview, paymentFailure: null })).toMatch(/^[A-Z].{20,}\.$/);
});
