import { type Context, Hono } from "hono";
import { z } from "zod";
import { safeReturnPath } from "#app/accounts/rules.ts";
import { runBatch } from "#app/db/batch.ts";
import { readForm } from "#app/request/form-data.server.ts";
import { countUnread, listMessages, markRead, type Scope, unreadIn } from "#app/messaging/messages.server.ts";
import { MESSAGE_TEXTS, readSubject } from "#app/messaging/rules.ts";
import { type SendRefusal, sendMessage } from "#app/messaging/send-message.server.ts";
import { refuse } from "./refuse.ts";
import { requireViewer, type ViewerEnv } from "./require-viewer.ts";

/**
 * The endpoints of conversations. Conversations appear in the inbox, on order pages and in dialogs, and their messages are queued and
 * retried in order, so they need an address that belongs to no page.
 */
export const messages = new Hono<ViewerEnv>();

/** The largest form, in bytes: 2,000 characters at their widest encoding, and the other fields. */
const MAX_FORM = 40_000;

messages.use(requireViewer(MESSAGE_TEXTS.signed_out));

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
  if (!parsed?.success) return refuse(c, 400, MESSAGE_TEXTS.failed);
  const { to, about, text, photos, key, from } = parsed.data;
  const services = c.get("services");
  const result = await sendMessage(services, {
    senderId: c.get("viewer").id,
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
  return result.ok
    ? c.json({ success: true, data: result.message })
    : refuse(c, STATUS[result.code], MESSAGE_TEXTS[result.code]);
});

async function goBack(
  c: Context<ViewerEnv>,
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
  if (!scope.success) return refuse(c, 400, MESSAGE_TEXTS.load_failed);
  return c.json(
    await listMessages(c.get("services").db, c.get("viewer").id, scope.data, c.req.query("before") ?? null),
  );
});

/** Marks a conversation, or the messages about an item, as read. */
messages.post("/read", async (c) => {
  const sent = await readForm(c.req.raw, MAX_FORM);
  const scope = scopeSchema.safeParse(sent.ok ? Object.fromEntries(sent.form) : null);
  if (!scope.success) return refuse(c, 400, MESSAGE_TEXTS.load_failed);
  return c.json({ unread: await markRead(c.get("services"), c.get("viewer").id, scope.data) });
});

/** The number of unread messages, for pages without a live channel. */
messages.get("/unread", async (c) => {
  const [counted] = await runBatch(c.get("services").db, [countUnread(c.get("viewer").id)]);
  return c.json({ unread: unreadIn(counted) });
});
