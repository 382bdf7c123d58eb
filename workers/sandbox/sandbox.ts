/**
 * The sandbox worker: Safaricom, a mailbox, a push service and a university's login, for the local environment only.
 * It speaks Daraja's protocol on Daraja's paths, accepts emails at https://mail.sandbox.internal/messages and messages
 * to phones at https://push.sandbox.internal, logs people in at https://university.sandbox.internal, and has pages for
 * people under /sandbox. The facts about Safaricom are in
 * docs/m-pesa.md.
 */
import { Hono } from "hono";
import type { StatusCode } from "hono/utils/http-status";
import { darajaRoutes, sandboxObjectOf } from "./daraja-routes.ts";
import { pageRoutes } from "./page-routes.tsx";
import type { SandboxEnv } from "./env.ts";
import { mailSchema } from "./mail.ts";
import { PUSH_HOST } from "./push-service.ts";
import { UNIVERSITY_HOST, universityRoutes } from "./university.ts";

export { SandboxObject } from "./sandbox-object.ts";

/** Only a service binding can use this host. The public port passes on the host that the browser asked for. */
const MAIL_HOST = "mail.sandbox.internal";

const mailRoutes = new Hono<{ Bindings: SandboxEnv }>();

mailRoutes.post("/messages", async (c) => {
  const mail = mailSchema.safeParse(await c.req.json().catch(() => undefined));
  if (!mail.success) return c.json({ error: "Send JSON with to, subject, text and html" }, 400);
  return c.json({ id: await sandboxObjectOf(c.env).keepMail(mail.data) }, 202);
});
mailRoutes.all("*", (c) => c.json({ error: "Post mail to /messages" }, 404));

const pushRoutes = new Hono<{ Bindings: SandboxEnv }>();

pushRoutes.post("/push/:id", async (c) => {
  const status = await sandboxObjectOf(c.env).takePush(c.req.param("id"), {
    authorization: c.req.header("Authorization"),
    encoding: c.req.header("Content-Encoding"),
    ttl: c.req.header("TTL"),
    topic: c.req.header("Topic"),
    body: await c.req.arrayBuffer(),
  });
  return c.body(null, status as StatusCode);
});
pushRoutes.all("*", (c) => c.json({ error: "Post messages to a subscription's endpoint" }, 404));

const publicRoutes = new Hono<{ Bindings: SandboxEnv }>();
publicRoutes.route("/sandbox", pageRoutes);
publicRoutes.all("/sandbox/*", (c) => c.json({ error: "There is nothing here. See /sandbox" }, 404));
publicRoutes.route("/", darajaRoutes);

const ROUTES: Record<string, typeof publicRoutes> = {
  [MAIL_HOST]: mailRoutes,
  [PUSH_HOST]: pushRoutes,
  [UNIVERSITY_HOST]: universityRoutes,
};

export default {
  fetch(request, env, ctx) {
    const { hostname } = new URL(request.url);
    return (ROUTES[hostname] ?? publicRoutes).fetch(request, env, ctx);
  },
} satisfies ExportedHandler<SandboxEnv>;
