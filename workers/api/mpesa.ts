import { type Context, Hono } from "hono";
import { createMiddleware } from "hono/factory";
import type { z } from "zod";
import { PHONE_REQUIRED_ERROR, readPhone } from "#app/accounts/phone.ts";
import { findViewer, type Viewer } from "#app/accounts/viewer.server.ts";
import { deliveredPayout, findPaymentStatus } from "#app/payments/payment-api.server.ts";
import { mayAskForPayment } from "#app/payments/payment-limits.ts";
import { AMOUNT_ERROR } from "#app/payments/payment-texts.ts";
import { requestOrderPayment } from "#app/payments/request-payment.server.ts";
import type { HttpEnv } from "#workers/http-env.ts";
import { payoutBody, pushBody } from "./contracts.ts";
import { isOwnOrigin, readJson } from "./request-reading.ts";

/** The public payment API (docs/product-rules.md, "Public payment API"). The server decides amounts and recipients; the caller's are only compared. */
type ApiEnv = { Bindings: HttpEnv["Bindings"]; Variables: HttpEnv["Variables"] & { viewer: Viewer } };

export const mpesa = new Hono<ApiEnv>();

const TOO_MANY = { success: false, error: "Too many requests. Please try again later." };

const signedIn = createMiddleware<ApiEnv>(async (c, next) => {
  const services = c.get("services");
  if (c.req.method !== "GET" && !isOwnOrigin(c.req.raw, c.env.APP_ORIGIN))
    return c.json({ success: false, error: "Wrong origin" }, 403);
  const session = await services.sessions.read(c.req.raw);
  const viewer = session && (await findViewer(services.db, session.identity));
  if (!viewer) return c.json({ success: false, error: "Please log in to continue" }, 401);
  c.set("viewer", viewer);
  return next();
});
mpesa.use(signedIn);

mpesa.post("/stkpush", async (c) => {
  const body = pushBody.safeParse(await readJson(c.req.raw));
  if (!body.success) return c.json({ success: false, error: pushBodyError(body.error) }, 400);
  const phone = readPhone(body.data.phoneNumber);
  if (!phone.ok) return c.json({ success: false, error: phone.error }, 400);
  const services = c.get("services");
  if (!(await mayAskForPayment(services.limits, { userId: c.get("viewer").id, address: c.get("info").address })))
    return c.json(TOO_MANY, 429);

  const amountError = await wrongAmount(c, body.data.orderId, body.data.amount);
  if (amountError) return c.json({ success: false, error: amountError }, 409);
  const result = await requestOrderPayment(services, {
    orderId: body.data.orderId,
    userId: c.get("viewer").id,
    phone: phone.phone,
  });
  if (result.ok && result.kind === "already_paid")
    return c.json({ success: false, error: "This order is already paid." }, 409);
  if (result.ok) {
    return c.json({
      success: true,
      message: "Payment request sent. Please check your phone for the M-Pesa prompt.",
      data: { CheckoutRequestID: result.checkoutRequestId },
    });
  }
  if (result.code === "not_found")
    return c.json({ success: false, error: "Order not found. Please return to your cart and try again." }, 404);
  return c.json({ success: false, error: result.error }, result.code === "refused" ? 502 : 409);
});

function pushBodyError(error: z.ZodError): string {
  const field = error.issues[0]?.path[0];
  if (field === "phoneNumber") return PHONE_REQUIRED_ERROR;
  return field === "amount" ? AMOUNT_ERROR : "The request is not readable: phoneNumber, amount and orderId are needed.";
}

/** The request's amount is compared with the order's and never used. */
async function wrongAmount(c: Context<ApiEnv>, orderId: string, amount: number): Promise<string | null> {
  const order = await findPaymentStatus(c.get("services").db, { orderId, userId: c.get("viewer").id });
  return order && order.amount !== amount
    ? `The amount of this order is KES ${order.amount.toLocaleString("en-KE")}.`
    : null;
}

mpesa.get("/status", (c) => c.json({ success: false, error: "Checkout request ID is required" }, 400));

mpesa.get("/status/:checkoutRequestId", async (c) => {
  const { db, limits } = c.get("services");
  if (!(await limits.write(`status:${c.get("viewer").id}`))) return c.json(TOO_MANY, 429);
  const found = await findPaymentStatus(db, {
    checkoutRequestId: c.req.param("checkoutRequestId"),
    userId: c.get("viewer").id,
  });
  if (!found) return c.json({ success: false, error: "Failed to check payment status" }, 404);
  return c.json({
    success: true,
    data: { paymentStatus: found.paymentStatus, receipt: found.receipt, error: found.error },
  });
});

mpesa.post("/b2c", async (c) => {
  const body = payoutBody.safeParse(await readJson(c.req.raw));
  if (!body.success)
    return c.json({ success: false, error: "The request is not readable: orderItemId is needed." }, 400);
  const { orderItemId, phoneNumber, amount, orderId, sellerId } = body.data;
  const phone = phoneNumber === undefined ? null : readPhone(phoneNumber);
  if (phone && !phone.ok) return c.json({ success: false, error: phone.error }, 400);
  const services = c.get("services");
  if (!(await services.limits.payment(c.get("viewer").id))) return c.json(TOO_MANY, 429);
  const claims = { phone: phone?.phone, amount, orderId, sellerId };
  const payout = await deliveredPayout(services, { orderItemId, sellerId: c.get("viewer").id, claims });
  if (!payout.ok) return c.json({ success: false, error: payout.error }, payout.code === "not_found" ? 404 : 409);
  return c.json({ success: true, message: payout.message, transactionId: payout.transactionId });
});
