import { createHash } from "node:crypto";
import { Hono } from "hono";
import { z } from "zod";
import { pageOfForm } from "#app/accounts/login/account-rules.ts";
import { explainMessageLimit } from "#app/accounts/trust/newcomer.server.ts";
import { listMessages, markRead } from "#app/messaging/conversations/messages.server.ts";
import { MESSAGE_TEXTS, readSubject, writeSubject } from "#app/messaging/message-rules.ts";
import { type SendRefusal, type SendResult, sendMessage } from "#app/messaging/sending/send-message.server.ts";
import { liveMessageSchema } from "#app/live/live-events.ts";
import type { Services } from "#app/request/services.ts";
import { endpoint } from "./endpoint.ts";
import { askAboutCode, loggedOutMessage, refusedMessage } from "./held-message.ts";
import { LOGGED_OUT, OTHER_SITE, refuse, UNREADABLE } from "./refuse.ts";
import { requireViewer, type ViewerEnv } from "./require-viewer.ts";

/**
 * The endpoints of conversations. Conversations appear in the inbox, on order pages and in dialogs, and their messages
 * are queued and retried in order, so they need an address that belongs to no page.
 */
export const messages = new Hono<ViewerEnv>();

messages.use(requireViewer(MESSAGE_TEXTS.signed_out, holdLoggedOut));

const scope = z.union([z.object({ with: z.uuid() }), z.object({ item: z.uuid() })]);
const before = z.string().optional().meta({ description: "The cursor `older` of the page after it." });
const page = z.union([z.object({ with: z.uuid(), before }), z.object({ item: z.uuid(), before })]);

const photoKey = z.string().max(100);
const newMessage = z.object({
  to: z.uuid().optional().meta({ description: "Whom it is for. Left out where the subject tells." }),
  about: z.string().transform(readSubject).optional().meta({ description: "`item:{id}` or `product:{id}`." }),
  text: z.string().max(10_000).default(""),
  photo: z
    .union([photoKey.transform((key) => [key]), z.array(photoKey).max(20)])
    .default([])
    .meta({ description: "Keys of uploaded photos." }),
  key: z.string().min(8).max(100).meta({ description: "Made by the caller. The same key sends once." }),
  codeOk: z
    .literal("yes")
    .optional()
    .meta({ description: "Sent after a 428: the text has the sender's own handover code in it, and that is meant." }),
  from: z.string().optional().meta({ description: "The page to return to, in a form sent without scripts." }),
});

const STATUS = {
  empty: 400,
  too_long: 400,
  no_recipient: 404,
  blocked_by_me: 403,
  blocked: 403,
  too_many: 429,
  newcomer: 429,
  photo_gone: 410,
  key_used: 409,
  own_code: 428,
} as const satisfies Record<SendRefusal, number>;

/**
 * Sends a message and answers with it, or with the reason why not. A form sent without scripts is redirected to its
 * page, or gets a page that says why and holds its words.
 */
messages.post(
  "/",
  endpoint({
    id: "sendMessage",
    tag: "Messages",
    summary: "Send a message to a person, about an order's item or about a product",
    input: { from: "form", schema: newMessage, unreadable: MESSAGE_TEXTS.failed },
    answers: { 200: z.object({ success: z.literal(true), data: liveMessageSchema }), 303: null },
    refusals: {
      400: "The form cannot be read, or the message is empty or too long.",
      401: LOGGED_OUT,
      403: "The profile isn't complete, one of the two has blocked the other, or a page of another site sent this.",
      404: "There is nobody to send it to.",
      409: "The key was used for another message.",
      410: "A photo is no longer there.",
      428: "It gives the sender's own handover code away. Send it again with `codeOk` if it is meant.",
      429: MESSAGE_TEXTS.too_many,
    },
  }),
  async (c) => {
    const { to, about, text, photo, key, from, codeOk } = c.get("input");
    const services = c.get("services");
    const senderId = c.get("viewer").id;
    const message = {
      senderId,
      ...(to && { recipientId: to }),
      about: about ?? null,
      text,
      photoKeys: photo,
      key,
      codeOk: codeOk !== undefined,
    };
    const path = pageOfForm(from);
    if (path) message.key = keyOfForm(key, text, photo);
    let result: SendResult = { ok: false, code: "too_many" };
    // The limits of sending count what was sent. This one counts refused messages, too.
    if (await services.limits.write(`message:${senderId}`)) {
      result = await sendMessage(services, message);
      if (result.ok && result.isPushed) services.drainOutbox();
    }
    if (result.ok && result.isNew && about?.kind === "product")
      services.defer(services.listingCounter.message(about.id, senderId));
    if (path && !result.ok && result.code === "own_code")
      return c.html(askAboutCode({ to, about: about && writeSubject(about), text, photo, key, from: path }), 428);
    const told = result.ok
      ? ({ kind: "success", text: MESSAGE_TEXTS.sent } as const)
      : ({ kind: "error", text: await explainRefusal(services, senderId, result.code) } as const);
    if (path && !result.ok && text !== "") {
      const photos = result.code === "photo_gone" ? [] : photo;
      const held = { to, about: about && writeSubject(about), text, photo: photos, key, from: path };
      return c.html(refusedMessage(held, told.text, result.code), STATUS[result.code]);
    }
    if (path) {
      c.header("Set-Cookie", await services.flash.write(told));
      return c.redirect(path, 303);
    }
    return result.ok ? c.json({ success: true, data: result.message }) : refuse(c, STATUS[result.code], told.text);
  },
);

/** A message of a form without scripts, whose sender is logged out. */
function holdLoggedOut(sent: FormData, from: string, login: string) {
  const field = (name: string) => String(sent.get(name) ?? "");
  const text = field("text");
  const photo = sent.getAll("photo").map(String);
  if (text === "") return null;
  return loggedOutMessage({ to: field("to"), about: field("about"), text, photo, key: field("key"), from }, login);
}

/**
 * Names a message of a form without scripts by its key and its words: "Back" brings a page whose key was used, and
 * other words under it are another message.
 */
function keyOfForm(...sent: [key: string, text: string, photo: readonly string[]]): string {
  return createHash("sha256").update(JSON.stringify(sent)).digest("base64url");
}

async function explainRefusal(services: Services, senderId: string, code: SendRefusal): Promise<string> {
  const limit = code === "newcomer" ? await explainMessageLimit(services, senderId) : null;
  return limit ?? MESSAGE_TEXTS[code];
}

messages.get(
  "/",
  endpoint({
    id: "listMessages",
    tag: "Messages",
    summary: "The newest messages with a person or about an order's item, or a page of older ones",
    input: { from: "query", schema: page, unreadable: MESSAGE_TEXTS.load_failed },
    answers: { 200: z.object({ messages: z.array(liveMessageSchema), older: z.string().nullable() }) },
    refusals: { 400: UNREADABLE, 401: LOGGED_OUT },
  }),
  async (c) => {
    const input = c.get("input");
    return c.json(await listMessages(c.get("services"), c.get("viewer").id, input, input.before ?? null));
  },
);

const unread = z.number().meta({ description: "Unread messages, counted up to 100." });
const notifications = z.number().meta({ description: "Unread notifications, counted up to 100." });

messages.post(
  "/read",
  endpoint({
    id: "markMessagesRead",
    tag: "Messages",
    summary: "Mark the messages with a person or about an order's item as read",
    input: { from: "form", schema: scope, unreadable: MESSAGE_TEXTS.load_failed },
    answers: { 200: z.object({ unread }) },
    refusals: { 400: UNREADABLE, 401: LOGGED_OUT, 403: OTHER_SITE },
  }),
  async (c) => c.json({ unread: await markRead(c.get("services"), c.get("viewer").id, c.get("input")) }),
);

/** For pages without a live channel. */
messages.get(
  "/unread",
  endpoint({
    id: "countUnread",
    tag: "Messages",
    summary: "How many messages and notifications are unread",
    answers: { 200: z.object({ unread, notifications }) },
    refusals: { 401: LOGGED_OUT },
  }),
  (c) => {
    const { counts } = c.get("viewer");
    return c.json({ unread: counts.unread, notifications: counts.notifications });
  },
);
