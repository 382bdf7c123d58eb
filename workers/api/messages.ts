import { type Context, Hono } from "hono";
import { z } from "zod";
import { safeReturnPath } from "#app/accounts/rules.ts";
import { findViewer } from "#app/accounts/viewer.server.ts";
import { runBatch } from "#app/db/batch.ts";
import { readForm } from "#app/request/form-data.server.ts";
import { countUnread, listMessages, markRead, type Scope, unreadIn } from "#app/messaging/messages.server.ts";
import { MESSAGE_TEXTS, readSubject } from "#app/messaging/rules.ts";
import { type SendRefusal, sendMessage } from "#app/messaging/send-message.server.ts";
import type { HttpEnv } from "#workers/http-env.ts";
import { isOwnOrigin } from "./request-reading.ts";

/**
 * The endpoints of conversations. Conversations appear in the inbox, on order pages and in dialogs, and their messages are queued and
 * retried in order, so they need an address that belongs to no page.
 */
export const messages = new Hono<HttpEnv & { Variables: { viewerId: string } }>();

type MessagesContext = Context<HttpEnv & { Variables: { viewerId: string } }>;

/** The largest form, in bytes: 2,000 characters at their widest encoding, and the other fields. */
const MAX_FORM = 40_000;

messages.use(async (c, next) => {
  if (c.req.method !== "GET" && !isOwnOrigin(c.req.raw, c.env.APP_ORIGIN))
    return c.json({ ok: false, code: "origin", message: MESSAGE_TEXTS.failed }, 403);
  const services = c.get("services");
  const session = await services.sessions.read(c.req.raw);
  const viewer = session && (await findViewer(services.db, session.identity));
  if (!viewer) return c.json({ ok: false, code: "signed_out", message: MESSAGE_TEXTS.signed_out }, 401);
  c.set("viewerId", viewer.id);
  return next();
});

const scopeSchema = z.union([
  z.object({ with: z.uuid() }).transform((scope): Scope => ({ with: scope.with })),
  z.object({ item: z.uuid() }).transform((scope): Scope => ({ item: scope.item })),
]);

const messageSchema = z.object({
  to: z.uuid().optional(),
  about: z.string().transform(readSubject).optional(),
  text: z.string().max(10_000).default(""),
  photos: z.array(z.string().max(100)).max(20).default([]),
  key: z.string().min(8).max(100),
  /** The page to return to; only in a form sent without scripts. */
  from: z.string().optional(),
});

const STATUS = {
  empty: 400,
  too_long: 400,
  no_recipient: 404,
  blocked_by_me: 403,
  blocked: 403,
  too_many: 429,
  photo_gone: 410,
} as const satisfies Record<SendRefusal, number>;

/** Sends a message and answers with it, or with the reason why not. A form sent without scripts is redirected to its page. */
messages.post("/", async (c) => {
  const sent = await readForm(c.req.raw, MAX_FORM);
  const parsed = sent.ok
    ? messageSchema.safeParse({ ...Object.fromEntries(sent.form), photos: sent.form.getAll("photo") })
    : null;
  if (!parsed?.success) return c.json({ ok: false, code: "unreadable", message: MESSAGE_TEXTS.failed }, 400);
  const { to, about, text, photos, key, from } = parsed.data;
  const services = c.get("services");
  const result = await sendMessage(services, {
    senderId: c.get("viewerId"),
    ...(to && { recipientId: to }),
    about: about ?? null,
    text,
    photos,
    key,
  });
  const back = safeReturnPath(from ?? null);
  if (back)
    return goBack(
      c,
      back,
      result.ok ? { kind: "success", text: MESSAGE_TEXTS.sent } : { kind: "error", text: MESSAGE_TEXTS[result.code] },
    );
  return result.ok ? c.json(result) : c.json({ ...result, message: MESSAGE_TEXTS[result.code] }, STATUS[result.code]);
});

async function goBack(
  c: MessagesContext,
  path: string,
  flash: { kind: "success" | "error"; text: string },
): Promise<Response> {
  return new Response(null, {
    status: 303,
    headers: { Location: path, "Set-Cookie": await c.get("services").flash.write(flash) },
  });
}

/** A page of messages older than `before`, or the newest: of the conversation `with` somebody, or about an `item`. */
messages.get("/", async (c) => {
  const scope = scopeSchema.safeParse(c.req.query());
  if (!scope.success) return c.json({ ok: false, code: "unreadable", message: MESSAGE_TEXTS.load_failed }, 400);
  return c.json(await listMessages(c.get("services").db, c.get("viewerId"), scope.data, c.req.query("before") ?? null));
});

/** Marks a conversation, or the messages about an item, as read. */
messages.post("/read", async (c) => {
  const sent = await readForm(c.req.raw, MAX_FORM);
  const scope = scopeSchema.safeParse(sent.ok ? Object.fromEntries(sent.form) : null);
  if (!scope.success) return c.json({ ok: false, code: "unreadable", message: MESSAGE_TEXTS.load_failed }, 400);
  return c.json({ unread: await markRead(c.get("services"), c.get("viewerId"), scope.data) });
});

/** The number of unread messages, for pages without a live channel. */
messages.get("/unread", async (c) => {
  const [counted] = await runBatch(c.get("services").db, [countUnread(c.get("viewerId"))]);
  return c.json({ unread: unreadIn(counted) });
});
