import { Hono } from "hono";
import { TOO_MANY_REQUESTS } from "#app/platform/rate-limit-rules.ts";
import type { HttpEnv } from "#workers/http-env.ts";
import { EPOCH_HEADER, SESSION_HEADER, USER_HEADER } from "#workers/live/hub-headers.ts";
import { endpoint } from "./endpoint.ts";
import { LOGGED_OUT, OTHER_SITE, refuse } from "./refuse.ts";
import { requireViewer } from "./require-viewer.ts";

/** The live channel. The user is authenticated and the origin checked before the upgrade reaches the user's hub. */
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
  requireViewer(),
  async (c) => {
    const viewer = c.get("viewer");
    const session = c.get("session");
    // Opening a socket wakes the hub and reads the database, so it is limited. A browser keeps one open and backs off when refused.
    if (!(await c.get("services").limits.write(`live:${viewer.id}`))) return refuse(c, 429, TOO_MANY_REQUESTS);
    const headers = new Headers({
      Upgrade: "websocket",
      [USER_HEADER]: viewer.id,
      [SESSION_HEADER]: session.id,
      [EPOCH_HEADER]: String(session.epoch),
    });
    return c.env.USER_HUB.getByName(viewer.id).fetch(c.req.url, { headers });
  },
);
