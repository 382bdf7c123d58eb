/**
 * The sandbox worker: Safaricom and a mailbox, for the local environment only. It speaks Daraja's protocol on Daraja's
 * paths, accepts emails at https://mail.sandbox.internal/messages, and has pages for people under /sandbox. The facts
 * about Safaricom are in docs/m-pesa.md.
 */
import { Hono } from "hono";
import { darajaRoutes, sandboxObjectOf } from "./daraja-routes.ts";
import { pageRoutes } from "./page-routes.tsx";
import type { SandboxEnv } from "./env.ts";
import { mailSchema } from "./mail.ts";

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

const publicRoutes = new Hono<{ Bindings: SandboxEnv }>();
publicRoutes.route("/sandbox", pageRoutes);
publicRoutes.all("/sandbox/*", (c) => c.json({ error: "There is nothing here. See /sandbox" }, 404));
publicRoutes.route("/", darajaRoutes);

export default {
  fetch(request, env, ctx) {
    const routes = new URL(request.url).hostname === MAIL_HOST ? mailRoutes : publicRoutes;
    return routes.fetch(request, env, ctx);
  },
} satisfies ExportedHandler<SandboxEnv>;
