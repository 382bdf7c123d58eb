import { type Context, Hono } from "hono";
import type { z } from "zod";
import { PHONE_REQUIRED_ERROR, readPhone } from "#app/accounts/phone.ts";
import { deliveredPayout, findPaymentStatus } from "#app/payments/payment-api.server.ts";
import { mayAskForPayment } from "#app/payments/payment-limits.ts";
import { AMOUNT_ERROR } from "#app/payments/payment-texts.ts";
import { requestOrderPayment } from "#app/payments/request-payment.server.ts";
import { TOO_MANY_REQUESTS } from "#app/platform/rate-limit-rules.ts";
import { payoutBody, pushBody } from "./contracts.ts";
import { refuse } from "./refuse.ts";
import { readJson } from "./request-reading.ts";
import { requireViewer, type ViewerEnv } from "./require-viewer.ts";

/** The public payment API (docs/product-rules.md, "Public payment API"). The server decides amounts and recipients; the caller's are only compared. */
export const mpesa = new Hono<ViewerEnv>();

mpesa.use(requireViewer());

mpesa.post("/stkpush", async (c) => {
  const body = pushBody.safeParse(await readJson(c.req.raw));
  if (!body.success) return refuse(c, 400, pushBodyError(body.error));
  const phone = readPhone(body.data.phoneNumber);
  if (!phone.ok) return refuse(c, 400, phone.error);
  const services = c.get("services");
  if (!(await mayAskForPayment(services.limits, { userId: c.get("viewer").id, address: c.get("info").address })))
    return refuse(c, 429, TOO_MANY_REQUESTS);

  const amountError = await wrongAmount(c, body.data.orderId, body.data.amount);
  if (amountError) return refuse(c, 409, amountError);
  const result = await requestOrderPayment(services, {
    orderId: body.data.orderId,
    userId: c.get("viewer").id,
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
  if (result.code === "not_found") return refuse(c, 404, "Order not found. Please return to your cart and try again.");
  return refuse(c, result.code === "refused" ? 502 : 409, result.error);
});

function pushBodyError(error: z.ZodError): string {
  const field = error.issues[0]?.path[0];
  if (field === "phoneNumber") return PHONE_REQUIRED_ERROR;
  return field === "amount" ? AMOUNT_ERROR : "The request is not readable: phoneNumber, amount and orderId are needed.";
}

/** The request's amount is compared with the order's and never used. */
async function wrongAmount(c: Context<ViewerEnv>, orderId: string, amount: number): Promise<string | null> {
  const order = await findPaymentStatus(c.get("services").db, { orderId, userId: c.get("viewer").id });
  return order && order.amount !== amount
    ? `The amount of this order is KES ${order.amount.toLocaleString("en-KE")}.`
    : null;
}

mpesa.get("/status", (c) => refuse(c, 400, "Checkout request ID is required"));

mpesa.get("/status/:checkoutRequestId", async (c) => {
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
});

mpesa.post("/b2c", async (c) => {
  const body = payoutBody.safeParse(await readJson(c.req.raw));
  if (!body.success) return refuse(c, 400, "The request is not readable: orderItemId is needed.");
  const { orderItemId, phoneNumber, amount, orderId, sellerId } = body.data;
  const phone = phoneNumber === undefined ? null : readPhone(phoneNumber);
  if (phone && !phone.ok) return refuse(c, 400, phone.error);
  const services = c.get("services");
  if (!(await services.limits.payment(c.get("viewer").id))) return refuse(c, 429, TOO_MANY_REQUESTS);
  const claims = { phone: phone?.phone, amount, orderId, sellerId };
  const payout = await deliveredPayout(services, { orderItemId, sellerId: c.get("viewer").id, claims });
  if (!payout.ok) return refuse(c, payout.code === "not_found" ? 404 : 409, payout.error);
  return c.json({ success: true, message: payout.message, transactionId: payout.transactionId });
});
