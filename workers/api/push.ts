import { Hono } from "hono";
import { z } from "zod";
import { SESSION_LIFE_S, SHORT_SESSION_LIFE_S } from "#app/accounts/login/account-rules.ts";
import { deviceName } from "#app/notifications/push/push-rules.ts";
import {
  type PushSession,
  renewSubscription,
  saveSubscription,
} from "#app/notifications/push/push-subscriptions.server.ts";
import { PUSH_TEXTS } from "#app/notifications/push/push-texts.ts";
import { endpoint } from "./endpoint.ts";
import { LOGGED_OUT, OTHER_SITE, refuse, UNREADABLE } from "./refuse.ts";
import { requireViewer, type ViewerEnv } from "./require-viewer.ts";

/** The endpoints of browsers that show notifications while the app is closed. */
export const push = new Hono<ViewerEnv>();

/** As `PushSubscription.toJSON()` gives it. The public key is an uncompressed point of P-256. */
const subscription = z
  .object({
    endpoint: z.url({ protocol: /^https$/ }).max(1000),
    keys: z.object({ p256dh: z.string().regex(/^B[\w-]{86}$/), auth: z.string().regex(/^[\w-]{22}$/) }),
  })
  .transform(({ endpoint: address, keys }) => ({ endpoint: address, ...keys }));

push.get(
  "/key",
  endpoint({
    id: "readPushKey",
    tag: "Notifications",
    summary: "The key that browsers subscribe with",
    answers: { 200: z.object({ publicKey: z.string().nullable().meta({ description: "Null while push is off." }) }) },
  }),
  (c) => c.json({ publicKey: c.get("services").push?.publicKey ?? null }),
);

push.post(
  "/subscriptions",
  requireViewer(PUSH_TEXTS.signed_out),
  endpoint({
    id: "subscribeToPush",
    tag: "Notifications",
    summary: "Send my notifications to this browser",
    input: { from: "json", schema: subscription, unreadable: PUSH_TEXTS.unknown_service },
    answers: { 204: null },
    refusals: {
      400: "The subscription cannot be read, or belongs to a push service that we don't know.",
      401: LOGGED_OUT,
      403: OTHER_SITE,
      404: "Push is off.",
      429: PUSH_TEXTS.too_many,
    },
  }),
  async (c) => {
    const services = c.get("services");
    const target = c.get("input");
    if (services.push === null) return refuse(c, 404, PUSH_TEXTS.off);
    if (!services.push.accepts(target.endpoint)) return refuse(c, 400, PUSH_TEXTS.unknown_service);
    if (!(await services.limits.write(c.get("viewer").id))) return refuse(c, 429, PUSH_TEXTS.too_many);
    const name = deviceName(c.req.header("User-Agent") ?? "");
    await saveSubscription(services, sessionOf(c.var), target, name);
    return c.body(null, 204);
  },
);

push.post(
  "/subscriptions/renewal",
  requireViewer(PUSH_TEXTS.signed_out),
  endpoint({
    id: "renewPushSubscription",
    tag: "Notifications",
    summary: "Say that this browser, which I have subscribed, still opens the app",
    input: { from: "json", schema: z.object({ endpoint: z.string().max(1000) }), unreadable: UNREADABLE },
    answers: {
      200: z.object({
        isKnown: z
          .boolean()
          .meta({ description: "False where I get nothing there: the browser ends its subscription." }),
        publicKey: z.string().nullable().meta({ description: "Null while push is off." }),
      }),
    },
    refusals: { 400: UNREADABLE, 401: LOGGED_OUT, 403: OTHER_SITE },
  }),
  async (c) => {
    const services = c.get("services");
    const isKnown = await renewSubscription(services, sessionOf(c.var), c.get("input").endpoint);
    return c.json({ isKnown, publicKey: services.push?.publicKey ?? null });
  },
);

function sessionOf({ session, isKept, services }: ViewerEnv["Variables"]): PushSession {
  const life = isKept ? SESSION_LIFE_S : SHORT_SESSION_LIFE_S;
  return { ...session, endsAt: services.now() + life * 1000 };
}
