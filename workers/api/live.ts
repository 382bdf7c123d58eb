import { Hono } from "hono";
import { findViewer } from "#app/accounts/viewer.server.ts";
import type { HttpEnv } from "#workers/http-env.ts";
import { EPOCH_HEADER, SESSION_HEADER, USER_HEADER } from "#workers/live/user-hub.ts";

/** The live channel. The user is authenticated and the origin checked before the upgrade reaches the user's hub. */
export const live = new Hono<HttpEnv>();

live.get("/", async (c) => {
  if (c.req.header("Upgrade")?.toLowerCase() !== "websocket")
    return c.json({ success: false, error: "Expected a WebSocket" }, 426);
  if (c.req.header("Origin") !== new URL(c.req.url).origin && c.req.header("Origin") !== c.env.APP_ORIGIN)
    return c.json({ success: false, error: "Wrong origin" }, 403);
  const services = c.get("services");
  const session = await services.sessions.read(c.req.raw);
  const viewer = session && (await findViewer(services.db, session.identity));
  if (!viewer) return c.json({ success: false, error: "Please log in to continue" }, 401);
  // Opening a socket wakes the hub and reads the database, so it is limited. A browser keeps one open and backs off when refused.
  if (!(await services.limits.write(`live:${viewer.id}`)))
    return c.json({ success: false, error: "Too many requests. Please try again later." }, 429);
  const headers = new Headers({
    Upgrade: "websocket",
    [USER_HEADER]: viewer.id,
    [SESSION_HEADER]: session.identity.id,
    [EPOCH_HEADER]: String(session.identity.epoch),
  });
  return c.env.USER_HUB.getByName(viewer.id).fetch(c.req.url, { headers });
});
