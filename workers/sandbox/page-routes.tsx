/** @jsxImportSource hono/jsx */
import { type Context, Hono } from "hono";
import { html } from "hono/html";
import type { FC } from "hono/jsx";
import { secureHeaders } from "hono/secure-headers";
import { z } from "zod";
import { dayBounds } from "#app/platform/east-africa-time.ts";
import { activityOf } from "./activity.ts";
import { sandboxObjectOf } from "./daraja-routes.ts";
import type { SandboxEnv } from "./env.ts";
import { merchantOf } from "./merchant.ts";
import { HANDSET_CODES, type HandsetOutcome } from "./outcomes.ts";
import { IndexPage } from "./pages/index-page.tsx";
import { LockScreen, LockScreenPage, type LockScreenView } from "./pages/lock-screen-page.tsx";
import { type MailboxView, MailboxPage, MailList } from "./pages/mailbox-page.tsx";
import { PhonePage, PhoneRecord, PhoneScreen, type PhoneView } from "./pages/phone-page.tsx";
import { HANDSET_SCRIPT, ICON, LIVE_SCRIPT, MAILBOX_SCRIPT, PUSH_MANAGER_SCRIPT } from "./pages/scripts.ts";
import { STYLE } from "./pages/style.ts";
import { UniversityPage } from "./pages/university-page.tsx";
import { settingsChangeSchema, startingSettings } from "./settings.ts";
import { askedSchema, returnAddress } from "./university.ts";
import { DAY_MS } from "#app/platform/duration-rules.ts";

/** How far back a statement goes that names no period, ms. */
const STATEMENT_MS = 30 * DAY_MS;

type SandboxContext = Context<{ Bindings: SandboxEnv }>;

const OUTCOMES = Object.keys(HANDSET_CODES) as [HandsetOutcome, ...HandsetOutcome[]];
const answerSchema = z.object({ outcome: z.enum(OUTCOMES) });

/** The sandbox's own pages and JSON, under /sandbox. */
export const pageRoutes = new Hono<{ Bindings: SandboxEnv }>();

/** The email's own HTML. No script runs in it, and links open in a new tab. */
const MAIL_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src http: https: data:; frame-ancestors 'self'; " +
  "sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox";

// Set before the headers of the sandbox's pages, which would refuse the frame.
pageRoutes.get("/mailbox/:id{[0-9]+}/html", async (c) => {
  const mail = await sandboxObjectOf(c.env).mail(Number(c.req.param("id")));
  if (!mail) return c.notFound();
  const headers = {
    "Content-Security-Policy": MAIL_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
  };
  return c.html(`<!doctype html><base target="_blank">${mail.html}`, 200, headers);
});

pageRoutes.use(
  secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'"],
      imgSrc: ["'self'"],
      connectSrc: ["'self'"],
      frameSrc: ["'self'"],
      formAction: ["'self'"],
      baseUri: ["'none'"],
      frameAncestors: ["'none'"],
    },
    referrerPolicy: "same-origin",
    // The sandbox is served over plain HTTP on the developer's machine.
    strictTransportSecurity: false,
  }),
  async (c, next) => {
    await next();
    if (!c.res.headers.has("Cache-Control")) c.header("Cache-Control", "no-store");
  },
);

/**
 * A JSON body; undefined when there is none or it is unreadable. Only JSON's own content type is accepted, so that no
 * other site's form can post here.
 */
async function readJson(c: SandboxContext): Promise<unknown> {
  if (!c.req.header("Content-Type")?.toLowerCase().startsWith("application/json")) return undefined;
  return c.req.json().catch(() => undefined);
}

function page(c: SandboxContext, document: ReturnType<FC>): Response | Promise<Response> {
  return c.html(html`<!doctype html>${document}`);
}

pageRoutes.get("/", async (c) => {
  const sandbox = sandboxObjectOf(c.env);
  const [activity, mails, settings] = await Promise.all([sandbox.activity(), sandbox.mails(null), sandbox.settings()]);
  const waiting = activity.prompts.filter((prompt) => prompt.state === "open" && prompt.waitsForHandset).length;
  return page(
    c,
    <IndexPage
      settings={settings}
      starting={startingSettings(c.env.SANDBOX_PACE)}
      waiting={waiting}
      mails={mails.length}
    />,
  );
});

pageRoutes.get("/university", (c) => {
  const asked = askedSchema.safeParse(c.req.query());
  return asked.success ? page(c, <UniversityPage asked={asked.data} />) : c.json({ error: "An app leads here" }, 400);
});

pageRoutes.get("/university/enter", (c) => {
  const asked = askedSchema.safeParse(c.req.query());
  if (!asked.success) return c.json({ error: "An app leads here" }, 400);
  const email = c.req.query("cancel") === undefined ? (c.req.query("email") ?? "") : null;
  return c.redirect(returnAddress(asked.data, email));
});

pageRoutes.get("/prompts.json", async (c) => c.json(await sandboxObjectOf(c.env).activity()));

pageRoutes.post("/prompts/:id", async (c) => {
  const body = answerSchema.safeParse(await readJson(c));
  if (!body.success) return c.json({ error: `Send JSON {"outcome": …} with one of ${OUTCOMES.join(", ")}` }, 400);
  const answer = await sandboxObjectOf(c.env).answerPrompt(c.req.param("id"), body.data.outcome);
  if (answer === "unknown") return c.json({ error: "There is no prompt with this CheckoutRequestID" }, 404);
  if (answer === "settled") return c.json({ error: "This prompt was answered before, or has timed out" }, 409);
  return c.json({ CheckoutRequestID: c.req.param("id"), outcome: body.data.outcome });
});

const transferSchema = z.object({
  phone: z.string().regex(/^254[17]\d{8}$/),
  amount: z.number().int().min(1).max(250_000),
});

pageRoutes.post("/transfers", async (c) => {
  const body = transferSchema.safeParse(await readJson(c));
  if (!body.success) return c.json({ error: `Send JSON {"phone":"2547…","amount":1500}` }, 400);
  return c.json({ receipt: await sandboxObjectOf(c.env).sendByHand(body.data.phone, body.data.amount) });
});

const day = z.iso.date();
const statementSchema = z.object({
  account: z.enum(["collection", "payouts"]).default("collection"),
  from: day.optional(),
  until: day.optional(),
});

pageRoutes.get("/statement.csv", async (c) => {
  const asked = statementSchema.safeParse(c.req.query());
  if (!asked.success)
    return c.json({ error: "Use ?account=collection or payouts, &from=YYYY-MM-DD&until=YYYY-MM-DD" }, 400);
  const { account, from, until } = asked.data;
  const csv = await sandboxObjectOf(c.env).statement({
    account,
    from: from === undefined ? Date.now() - STATEMENT_MS : dayBounds(from).from,
    until: until === undefined ? Date.now() : dayBounds(until).until - 1000,
  });
  return c.body(csv, 200, {
    "Content-Type": "text/csv; charset=utf-8",
    "Content-Disposition": `attachment; filename="statement-${account}.csv"`,
  });
});

const earlierFields = {
  receipt: z.string().regex(/^[A-Z0-9]{10}$/),
  phone: z.string().regex(/^254[17]\d{8}$/),
  amount: z.number().int().min(1),
  startedAt: z.number().int(),
  paidAt: z.number().int(),
};
const earlierSchema = z.object({
  payments: z.array(
    z.object({ ...earlierFields, reference: z.string(), checkoutRequestId: z.string(), merchantRequestId: z.string() }),
  ),
  payouts: z.array(z.object({ ...earlierFields, conversationId: z.string() })),
});

pageRoutes.post("/earlier", async (c) => {
  const body = earlierSchema.safeParse(await readJson(c));
  if (!body.success) return c.json({ error: z.prettifyError(body.error) }, 400);
  await sandboxObjectOf(c.env).addEarlier(body.data);
  return c.body(null, 204);
});

pageRoutes.get("/faults", async (c) => c.json(await sandboxObjectOf(c.env).settings()));

pageRoutes.post("/faults", async (c) => {
  const body = settingsChangeSchema.safeParse(await readJson(c));
  if (!body.success)
    return c.json({ error: `Send JSON with the settings to change. ${z.prettifyError(body.error)}` }, 400);
  return c.json(await sandboxObjectOf(c.env).changeSettings(body.data));
});

pageRoutes.delete("/faults", async (c) => c.json(await sandboxObjectOf(c.env).changeSettings(null)));

/** Reads a phone as people write it into 254XXXXXXXXX. Null for none, or an unreadable one. */
function askedPhone(c: SandboxContext): string | null {
  const digits = (c.req.query("phone") ?? "").replace(/\D/g, "").replace(/^0/, "254");
  return /^254[17]\d{8}$/.test(digits) ? digits : null;
}

async function phoneView(c: SandboxContext): Promise<PhoneView> {
  const phone = askedPhone(c);
  const everything = await sandboxObjectOf(c.env).activity();
  const shown = phone === null ? everything : activityOf(everything, phone);
  return { everything, shown, phone, business: merchantOf(c.env).name, now: Date.now() };
}

pageRoutes.get("/phone", async (c) => {
  const view = await phoneView(c);
  const liveUrl = view.phone === null ? "/sandbox/phone/live" : `/sandbox/phone/live?phone=${view.phone}`;
  return page(c, <PhonePage view={view} liveUrl={liveUrl} />);
});

pageRoutes.get("/phone/live", async (c) => {
  const view = await phoneView(c);
  return c.html(
    <>
      <PhoneScreen view={view} />
      <PhoneRecord view={view} />
    </>,
  );
});

pageRoutes.get("/mailbox.json", async (c) => c.json(await sandboxObjectOf(c.env).mails(c.req.query("to") || null)));

async function mailboxView(c: SandboxContext): Promise<MailboxView> {
  const sandbox = sandboxObjectOf(c.env);
  const to = c.req.query("to")?.trim() || null;
  const id = Number(c.req.query("mail"));
  const [all, open] = await Promise.all([sandbox.mails(null), Number.isSafeInteger(id) ? sandbox.mail(id) : null]);
  const mails = to === null ? all : all.filter((mail) => mail.to.toLowerCase() === to.toLowerCase());
  return { mails, open, to, recipients: [...new Set(all.map((mail) => mail.to))] };
}

pageRoutes.get("/mailbox", async (c) => {
  const { search } = new URL(c.req.url);
  return page(c, <MailboxPage view={await mailboxView(c)} liveUrl={`/sandbox/mailbox/live${search}`} />);
});

pageRoutes.get("/mailbox/live", async (c) => c.html(<MailList view={await mailboxView(c)} />));

const serverKeySchema = z.object({ applicationServerKey: z.string().regex(/^[\w-]{87}$/) });

pageRoutes.post("/browsers", async (c) => {
  const body = serverKeySchema.safeParse(await readJson(c));
  if (!body.success) return c.json({ error: `Send JSON {"applicationServerKey": …}` }, 400);
  return c.json(await sandboxObjectOf(c.env).subscribe(body.data.applicationServerKey), 201);
});

pageRoutes.delete("/browsers/:id", async (c) => {
  await sandboxObjectOf(c.env).unsubscribe(c.req.param("id"));
  return c.body(null, 204);
});

async function lockScreenView(c: SandboxContext): Promise<LockScreenView> {
  const pushes = await sandboxObjectOf(c.env).pushes();
  const browser = c.req.query("browser") ?? null;
  return { pushes, browser, now: Date.now() };
}

pageRoutes.get("/pushes.json", async (c) => {
  const { pushes, browser } = await lockScreenView(c);
  return c.json(pushes.filter((push) => browser === null || push.browser === browser));
});

pageRoutes.get("/lock-screen", async (c) => {
  const { search } = new URL(c.req.url);
  return page(c, <LockScreenPage view={await lockScreenView(c)} liveUrl={`/sandbox/lock-screen/live${search}`} />);
});

pageRoutes.get("/lock-screen/live", async (c) => c.html(<LockScreen view={await lockScreenView(c)} />));

const SCRIPT = "text/javascript; charset=utf-8";

const ASSETS = new Map([
  ["style.css", { type: "text/css; charset=utf-8", text: STYLE }],
  ["live.js", { type: SCRIPT, text: LIVE_SCRIPT }],
  ["handset.js", { type: SCRIPT, text: HANDSET_SCRIPT }],
  ["mailbox.js", { type: SCRIPT, text: MAILBOX_SCRIPT }],
  ["push-manager.js", { type: SCRIPT, text: PUSH_MANAGER_SCRIPT }],
  ["icon.svg", { type: "image/svg+xml", text: ICON }],
]);

pageRoutes.get("/assets/:name", (c) => {
  const asset = ASSETS.get(c.req.param("name"));
  return asset ? c.body(asset.text, 200, { "Content-Type": asset.type, "Cache-Control": "no-cache" }) : c.notFound();
});
