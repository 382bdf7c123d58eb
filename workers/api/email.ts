import { type Context, Hono } from "hono";
import { mayAskForConfirmation, resendConfirmation } from "#app/accounts/confirmation.server.ts";
import { findEmailToken, type TokenPurpose } from "#app/accounts/email-tokens.server.ts";
import type { Mail } from "#app/platform/mailer.ts";
import { networkOf } from "#app/platform/network.ts";
import { RESEND_TEXTS } from "#app/accounts/sign-up-rules.ts";
import { queueMail } from "#app/platform/mail-queue.server.ts";
import type { HttpEnv } from "#workers/http-env.ts";
import { confirmationBody, resendBody, resetBody, welcomeBody } from "./contracts.ts";
import { refuse } from "./refuse.ts";
import { readJson } from "./request-reading.ts";
import { requireViewer } from "./require-viewer.ts";

/**
 * The email endpoints. Nobody can make us email strangers: a link goes only to the address it was issued for, once; a welcome goes
 * only to the address of the session, once; a resend gives every address the same answer, and each address gets few.
 */
export const email = new Hono<HttpEnv>();

email.use(async (c, next) => {
  if (!(await c.get("services").limits.address(`email:${networkOf(c.get("info").address)}`)))
    return refuse(c, 429, RESEND_TEXTS.busy);
  return next();
});

email.post("/confirmation", async (c) => {
  const body = confirmationBody.safeParse(await readJson(c.req.raw));
  return body.success
    ? sendLink(c, "confirmation", { ...body.data, token: body.data.confirmationToken })
    : refuse(c, 400, UNREADABLE);
});
email.post("/password-reset", async (c) => {
  const body = resetBody.safeParse(await readJson(c.req.raw));
  return body.success
    ? sendLink(c, "password_reset", { ...body.data, token: body.data.resetToken })
    : refuse(c, 400, UNREADABLE);
});

email.post("/confirmation/resend", async (c) => {
  const body = resendBody.safeParse(await readJson(c.req.raw));
  if (!body.success) return refuse(c, 400, RESEND_TEXTS.required);
  const services = c.get("services");
  if (!(await mayAskForConfirmation(services, body.data.email, c.get("info").address)))
    return refuse(c, 429, RESEND_TEXTS.busy);
  services.defer(resendConfirmation(services, body.data.email).then(() => services.drainOutbox()));
  return c.json({ success: true, data: { email: body.data.email }, message: RESEND_TEXTS.success });
});

email.post("/welcome", requireViewer("User not authenticated"), async (c) => {
  const services = c.get("services");
  const viewer = c.get("viewer");
  const body = welcomeBody.safeParse(await readJson(c.req.raw));
  if (!body.success) return refuse(c, 400, UNREADABLE);
  if (body.data.email !== viewer.email) return refuse(c, 403, "A welcome goes to your own address only");
  await queueMail(services, `welcome:${viewer.id}`, {
    to: viewer.email,
    template: "welcome",
    data: { name: viewer.fullName || body.data.username },
  });
  services.drainOutbox();
  return c.json({ success: true, data: { email: viewer.email }, message: "Welcome email sent" });
});

const UNREADABLE = "The request is not readable: email and token are needed.";

async function sendLink(
  c: Context<HttpEnv>,
  purpose: TokenPurpose,
  body: { email: string; username: string; token: string },
): Promise<Response> {
  const services = c.get("services");
  const found = await findEmailToken(services, { token: body.token, purpose });
  // A wrong token and a wrong address get the same answer, so that neither reveals the other.
  if (!found.ok || found.token.email !== body.email) return refuse(c, 400, "Invalid or expired token");
  const mail = {
    to: found.token.email,
    template: purpose,
    data: { name: body.username, tokenId: found.token.id },
  } satisfies Mail;
  await queueMail(services, `${purpose}:${found.token.id}`, mail);
  services.drainOutbox();
  return c.json({
    success: true,
    data: { email: found.token.email },
    message: purpose === "confirmation" ? "Confirmation email sent" : "Password reset email sent",
  });
}
