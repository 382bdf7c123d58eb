import { Hono } from "hono";
import { mayAskForConfirmation, resendConfirmation } from "#app/accounts/login/confirmation.server.ts";
import { findEmailToken } from "#app/accounts/login/email-tokens.server.ts";
import { TOO_MANY_REQUESTS } from "#app/platform/rate-limit-rules.ts";
import { networkOf } from "#app/platform/network.ts";
import { RESEND_TEXTS } from "#app/accounts/login/sign-up-rules.ts";
import { write } from "#app/db/batch.ts";
import { writeTo } from "#app/notifications/notify.server.ts";
import type { Services } from "#app/request/services.ts";
import type { HttpEnv } from "#workers/http-env.ts";
import { confirmationBody, mailAnswer, resendBody, resetBody, welcomeBody } from "./contracts.ts";
import { endpoint } from "./endpoint.ts";
import { LOGGED_OUT, OTHER_SITE, refuse, UNREADABLE } from "./refuse.ts";
import { requireViewer } from "./require-viewer.ts";

/**
 * The email endpoints. Nobody can make us email strangers: a link goes only to the address it was issued for, once; a
 * welcome goes only to the address of the session, once; a resend gives every address the same answer, and each address
 * gets few.
 */
export const email = new Hono<HttpEnv>();

const NO_TOKEN = "The request is not readable: email and token are needed.";
const WRONG_TOKEN = "Invalid or expired token";

/** Of the endpoints that email a link. */
const LINK_REFUSALS = {
  400: "The body cannot be read, or the token is not this address's.",
  403: OTHER_SITE,
  429: TOO_MANY_REQUESTS,
};

email.use(async (c, next) => {
  if (!(await c.get("services").limits.address(`email:${networkOf(c.get("info").address)}`)))
    return refuse(c, 429, RESEND_TEXTS.busy);
  return next();
});

email.post(
  "/confirmation",
  endpoint({
    id: "sendConfirmation",
    tag: "Email",
    summary: "Email the link that confirms an address to that address",
    input: { from: "json", schema: confirmationBody, unreadable: NO_TOKEN },
    answers: { 200: mailAnswer },
    refusals: LINK_REFUSALS,
  }),
  async (c) => {
    const { email: to, username, confirmationToken: token } = c.get("input");
    if (!(await queueLink(c.get("services"), "confirmation", { to, username, token })))
      return refuse(c, 400, WRONG_TOKEN);
    return c.json({ success: true, data: { email: to }, message: "Confirmation email sent" });
  },
);

email.post(
  "/password-reset",
  endpoint({
    id: "sendPasswordReset",
    tag: "Email",
    summary: "Email the link that sets a new password to the address it was issued for",
    input: { from: "json", schema: resetBody, unreadable: NO_TOKEN },
    answers: { 200: mailAnswer },
    refusals: LINK_REFUSALS,
  }),
  async (c) => {
    const { email: to, username, resetToken: token } = c.get("input");
    if (!(await queueLink(c.get("services"), "password_reset", { to, username, token })))
      return refuse(c, 400, WRONG_TOKEN);
    return c.json({ success: true, data: { email: to }, message: "Password reset email sent" });
  },
);

email.post(
  "/confirmation/resend",
  endpoint({
    id: "resendConfirmation",
    tag: "Email",
    summary: "Email a new confirmation link. Every address gets the same answer.",
    input: { from: "json", schema: resendBody, unreadable: RESEND_TEXTS.required },
    answers: { 200: mailAnswer },
    refusals: { 400: UNREADABLE, 403: OTHER_SITE, 429: TOO_MANY_REQUESTS },
  }),
  async (c) => {
    const services = c.get("services");
    const { email: address } = c.get("input");
    if (!(await mayAskForConfirmation(services, address, c.get("info").address)))
      return refuse(c, 429, RESEND_TEXTS.busy);
    services.defer(resendConfirmation(services, address).then(() => services.drainOutbox()));
    return c.json({ success: true, data: { email: address }, message: RESEND_TEXTS.success });
  },
);

email.post(
  "/welcome",
  requireViewer("User not authenticated"),
  endpoint({
    id: "sendWelcome",
    tag: "Email",
    summary: "Email the welcome to one's own address, once",
    input: { from: "json", schema: welcomeBody, unreadable: NO_TOKEN },
    answers: { 200: mailAnswer },
    refusals: {
      400: UNREADABLE,
      401: LOGGED_OUT,
      403: "Somebody else's address, or sent by a page of another site.",
      429: TOO_MANY_REQUESTS,
    },
  }),
  async (c) => {
    const services = c.get("services");
    const viewer = c.get("viewer");
    const { email: address, username } = c.get("input");
    if (address !== viewer.email) return refuse(c, 403, "A welcome goes to your own address only");
    const person = { id: viewer.id, email: viewer.email, name: viewer.fullName || username };
    const welcome = writeTo(person, { kind: "welcome", data: {} }, `welcome:${viewer.id}`, services.now());
    await write(services.db, [welcome]);
    services.drainOutbox();
    return c.json({ success: true, data: { email: viewer.email }, message: "Welcome email sent" });
  },
);

/** False where the token is not known or not this address's. Both look the same, so that neither reveals the other. */
async function queueLink(
  services: Services,
  purpose: "confirmation" | "password_reset",
  { to, username, token }: { to: string; username: string; token: string },
): Promise<boolean> {
  const found = await findEmailToken(services, { token, purpose });
  if (!found.ok || found.token.email !== to) return false;
  const { id: tokenId, userId } = found.token;
  const link = { kind: purpose, data: { tokenId } } as const;
  const person = { id: userId, email: to, name: username };
  await write(services.db, [writeTo(person, link, `${purpose}:${tokenId}`, services.now())]);
  services.drainOutbox();
  return true;
}
