import { Hono } from "hono";
import { SIGN_IN_TEXTS } from "#app/accounts/login/account-rules.ts";
import { TOO_MANY_REQUESTS } from "#app/platform/rate-limit-rules.ts";
import type { HttpEnv } from "#workers/http-env.ts";
import { EPOCH_HEADER, SESSION_HEADER, USER_HEADER } from "#workers/live/hub-headers.ts";
import { endpoint } from "./endpoint.ts";
import { LOGGED_OUT, OTHER_SITE, refuse } from "./refuse.ts";

/**
 * The live channel. The session is read and the origin checked before the upgrade reaches the user's hub, which checks
 * that the session is still alive.
 */
export const live = new Hono<HttpEnv>();

live.get(
  "/",
  endpoint({
    id: "openLiveChannel",
    tag: "Messages",
    summary: "Open the WebSocket that tells a user's pages about messages, payments and orders",
    answers: { 101: null },
    refusals: { 401: LOGGED_OUT, 403: OTHER_SITE, 426: "Not the upgrade to a WebSocket.", 429: TOO_MANY_REQUESTS },
  }),
  async (c, next) => {
    if (c.req.header("Upgrade")?.toLowerCase() !== "websocket") return refuse(c, 426, "Expected a WebSocket");
    // Browsers let any site open a socket with our user's cookies, and always send the origin.
    if (c.req.header("Origin") !== new URL(c.req.url).origin && c.req.header("Origin") !== c.env.APP_ORIGIN)
      return refuse(c, 403, "Wrong origin");
    return next();
  },
  async (c) => {
    const services = c.get("services");
    const session = (await services.sessions.read(c.req.raw))?.identity;
    if (!session) return refuse(c, 401, SIGN_IN_TEXTS.required);
    // Opening a socket wakes the hub and reads the database, so it is limited. A browser keeps one open and backs off
    // when refused. Each session has a limit of its own, because one that has ended must not use up its user's.
    if (!(await services.limits.write(`live:${session.id}`))) return refuse(c, 429, TOO_MANY_REQUESTS);
    const headers = new Headers({
      Upgrade: "websocket",
      [USER_HEADER]: session.userId,
      [SESSION_HEADER]: session.id,
      [EPOCH_HEADER]: String(session.epoch),
    });
    const opened = await c.env.USER_HUB.getByName(session.userId).fetch(c.req.url, { headers });
    return opened.status === 401 ? refuse(c, 401, SIGN_IN_TEXTS.required) : opened;
  },
);
