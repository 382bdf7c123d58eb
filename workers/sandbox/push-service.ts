/**
 * A push service (RFC 8030), with the browsers that it reaches. Each keeps its keys here, because it is none of a real
 * one's.
 */
import { z } from "zod";
import { type BrowserKeys, isVapid, newBrowserKeys, readMessage } from "./push-reading.ts";
import type { Settings } from "./settings.ts";
import type { Store } from "./store.ts";

/** Only a service binding can use this host. */
export const PUSH_HOST = "push.sandbox.internal";
const ORIGIN = `https://${PUSH_HOST}`;
/** What a push service has to take at least, in bytes, and what ours takes at most. */
const MAX_BODY = 4096;

/** What a browser keeps of a subscription. */
export interface SandboxSubscription {
  id: string;
  endpoint: string;
  p256dh: string;
  auth: string;
}

/** `serverKey`: the only sender that may write to it, as base64url. */
export async function subscribe(store: Store, serverKey: string): Promise<SandboxSubscription> {
  const [id, keys] = [crypto.randomUUID(), await newBrowserKeys()];
  store.addBrowser({ id, keys: JSON.stringify(keys), server_key: serverKey, at: Date.now() });
  return { id, endpoint: `${ORIGIN}/push/${id}`, p256dh: keys.p256dh, auth: keys.auth };
}

export interface PushRequest {
  authorization: string | undefined;
  encoding: string | undefined;
  ttl: string | undefined;
  topic: string | undefined;
  body: ArrayBuffer;
}

/** What the browser shows, as its service worker gets it. */
const messageSchema = z.object({
  title: z.string(),
  body: z.string(),
  path: z.string(),
  answerPath: z.string().nullable(),
  tag: z.string(),
});

/** Answers a message for a browser with a status. A message that the browser can read is kept. */
export async function takePush(
  store: Store,
  settings: Pick<Settings, "pushBusy">,
  id: string,
  request: PushRequest,
): Promise<{ status: 201 | 400 | 403 | 410 | 413 | 429; usedBusy: boolean }> {
  const refused = (status: 400 | 403 | 410 | 413) => ({ status, usedBusy: false });
  if (settings.pushBusy > 0) return { status: 429, usedBusy: true };
  const browser = store.findBrowser(id);
  if (!browser) return refused(410);
  const expected = { publicKey: browser.server_key, origin: ORIGIN, now: Date.now() };
  if (!(await isVapid(request.authorization, expected))) return refused(403);
  if (request.body.byteLength > MAX_BODY) return refused(413);
  if (request.encoding !== "aes128gcm" || !/^\d+$/.test(request.ttl ?? "")) return refused(400);
  // Only `subscribe` writes the keys.
  const keys = JSON.parse(browser.keys) as BrowserKeys;
  const text = await readMessage(new Uint8Array(request.body), keys).catch(() => null);
  const message = messageSchema.safeParse(text === null ? null : parsed(text));
  // A real push service couldn't tell. Here it is a fault worth showing.
  if (!message.success) return refused(400);
  store.addPush({
    browser: id,
    message: JSON.stringify(message.data),
    tag: message.data.tag,
    topic: request.topic ?? "",
    sent_at: Date.now(),
  });
  return { status: 201, usedBusy: false };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export interface PushView {
  id: number;
  /** The browser that got it. */
  browser: string;
  title: string;
  body: string;
  path: string;
  answerPath: string | null;
  tag: string;
  sentAt: number;
}

export function listPushes(store: Store): PushView[] {
  return store.listPushes().map(({ id, browser, message, sent_at }) => ({
    id,
    browser,
    ...messageSchema.parse(JSON.parse(message)),
    sentAt: sent_at,
  }));
}
