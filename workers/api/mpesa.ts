import { Hono } from "hono";
import type { z } from "zod";
import { PHONE_REQUIRED_ERROR, readPhone } from "#app/accounts/profile/phone.ts";
import type { Database } from "#app/db/client.ts";
import { deliveredPayout, findPaymentStatus } from "#app/payments/payment-api.server.ts";
import { mayAskForPayment } from "#app/payments/collect/payment-limits.ts";
import { AMOUNT_ERROR, UNSEEN_TEXT } from "#app/payments/payment-texts.ts";
import { requestOrderPayment } from "#app/payments/collect/request-payment.server.ts";
import { TOO_MANY_REQUESTS } from "#app/platform/rate-limit-rules.ts";
import { formatKes } from "#app/ui/money.ts";
import { payoutAnswer, payoutBody, pushAnswer, pushBody, statusAnswer } from "./contracts.ts";
import { endpoint } from "./endpoint.ts";
import { LOGGED_OUT, OTHER_SITE, refuse, UNREADABLE } from "./refuse.ts";
import { requireViewer, type ViewerEnv } from "./require-viewer.ts";

/**
 * The public payment API (docs/product-rules.md, "Public payment API"). The server decides amounts and recipients; the
 * caller's are only compared.
 */
export const mpesa = new Hono<ViewerEnv>();

/** Whatever fails here, nobody must be told to pay again before they can see whether they have paid. */
mpesa.use(async (c, next) => {
  await next();
  if (!c.error) return;
  const error = c.req.path.endsWith("/b2c")
    ? "We can't reach our records right now. Your payout is safe."
    : UNSEEN_TEXT;
  c.res = refuse(c, 503, error);
});

mpesa.use("/b2c", requireViewer("No authenticated user"));
mpesa.use(requireViewer());

const UNSEEN =
  "Our records cannot be read right now. The payment may have gone through, so the buyer must not pay again.";

mpesa.post(
  "/stkpush",
  endpoint({
    id: "requestPayment",
    tag: "Payments",
    summary: "Ask a phone to pay an order",
    input: { from: "json", schema: pushBody, unreadable: pushBodyError },
    answers: { 200: pushAnswer },
    refusals: {
      400: UNREADABLE,
      401: LOGGED_OUT,
      403: OTHER_SITE,
      404: "The buyer has no such order.",
      409: "The order is paid, closed or has another amount, a request is open for this order or phone, or there were too many today.",
      429: TOO_MANY_REQUESTS,
      502: "M-Pesa refused before anybody was asked.",
      503: `${UNSEEN} The error says where nothing was sent.`,
    },
  }),
  async (c) => {
    const { phoneNumber, amount, orderId } = c.get("input");
    const phone = readPhone(phoneNumber);
    if (!phone.ok) return refuse(c, 400, phone.error);
    const services = c.get("services");
    const userId = c.get("viewer").id;
    if (!(await mayAskForPayment(services.limits, { userId, address: c.get("info").address })))
      return refuse(c, 429, TOO_MANY_REQUESTS);

    const amountError = await wrongAmount(services.db, { orderId, userId, amount });
    if (amountError) return refuse(c, 409, amountError);
    const result = await requestOrderPayment(services, {
      orderId,
      userId,
      phone: phone.phone,
    });
    if (result.ok && result.kind === "already_paid") return refuse(c, 409, "This order is already paid.");
    if (result.ok) {
      return c.json({
        success: true,
        message: "Payment request sent. Please check your phone for the M-Pesa prompt.",
        data: { CheckoutRequestID: result.checkoutRequestId },
      });
    }
    if (result.code === "not_found")
      return refuse(c, 404, "Order not found. Please return to your cart and try again.");
    if (result.code === "unsent") return refuse(c, 503, result.error);
    return refuse(c, result.code === "refused" ? 502 : 409, result.error);
  },
);

function pushBodyError(error: z.ZodError): string {
  const field = error.issues[0]?.path[0];
  if (field === "phoneNumber") return PHONE_REQUIRED_ERROR;
  return field === "amount" ? AMOUNT_ERROR : "The request is not readable: phoneNumber, amount and orderId are needed.";
}

/** The request's amount is compared with the order's and never used. */
async function wrongAmount(
  db: Database,
  { orderId, userId, amount }: { orderId: string; userId: string; amount: number },
): Promise<string | null> {
  const order = await findPaymentStatus(db, { orderId, userId });
  return order && order.amount !== amount ? `The amount of this order is ${formatKes(order.amount)}.` : null;
}

mpesa.get(
  "/status",
  endpoint({
    id: "readPaymentStatusWithoutId",
    tag: "Payments",
    summary: "Always refused: the id is missing",
    answers: {},
    refusals: { 400: "Checkout request ID is required.", 401: LOGGED_OUT },
  }),
  (c) => refuse(c, 400, "Checkout request ID is required"),
);

mpesa.get(
  "/status/:checkoutRequestId",
  endpoint({
    id: "readPaymentStatus",
    tag: "Payments",
    summary: "What we know of a payment",
    path: { checkoutRequestId: "From the answer to the payment request." },
    answers: { 200: statusAnswer },
    refusals: {
      401: LOGGED_OUT,
      404: "The buyer has no such payment.",
      429: TOO_MANY_REQUESTS,
      503: `${UNSEEN} Ask again.`,
    },
  }),
  async (c) => {
    const { db, limits } = c.get("services");
    if (!(await limits.write(`status:${c.get("viewer").id}`))) return refuse(c, 429, TOO_MANY_REQUESTS);
    const found = await findPaymentStatus(db, {
      checkoutRequestId: c.req.param("checkoutRequestId"),
      userId: c.get("viewer").id,
    });
    if (!found) return refuse(c, 404, "Failed to check payment status");
    return c.json({
      success: true,
      data: { paymentStatus: found.paymentStatus, receipt: found.receipt, error: found.error },
    });
  },
);

mpesa.post(
  "/b2c",
  endpoint({
    id: "requestPayout",
    tag: "Payments",
    summary: "Pay a completed item out to its seller",
    input: { from: "json", schema: payoutBody, unreadable: "The request is not readable: orderItemId is needed." },
    answers: { 200: payoutAnswer },
    refusals: {
      400: UNREADABLE,
      401: LOGGED_OUT,
      403: OTHER_SITE,
      404: "The seller has no such item, or the buyer has not paid for it.",
      409: "The money is still held, or went back to the buyer; the payout has to wait; or the amount, order, seller or phone sent is not ours. The error says which, what the money waits for, and until when.",
      429: TOO_MANY_REQUESTS,
      503: "Our records cannot be read right now. Asking twice pays once.",
    },
  }),
  async (c) => {
    const { orderItemId, phoneNumber, amount, orderId, sellerId } = c.get("input");
    const phone = phoneNumber === undefined ? null : readPhone(phoneNumber);
    if (phone && !phone.ok) return refuse(c, 400, phone.error);
    const services = c.get("services");
    if (!(await services.limits.payment(c.get("viewer").id))) return refuse(c, 429, TOO_MANY_REQUESTS);
    const claims = { phone: phone?.phone, amount, orderId, sellerId };
    const payout = await deliveredPayout(services, { orderItemId, sellerId: c.get("viewer").id, claims });
    if (!payout.ok) return refuse(c, payout.code === "not_found" ? 404 : 409, payout.error);
    return c.json({ success: true, message: payout.message, transactionId: payout.receipt });
  },
);
