import { encryptNotification, vapidHeaders } from "@block65/webcrypto-web-push";
import type { PushMessage, PushSender } from "#app/notifications/push/push.ts";
import { isPushService, PUSH_SERVICES } from "#app/notifications/push/push-rules.ts";
import type { Env } from "#workers/env.ts";
import { publicKeyOf } from "./vapid-key.ts";

/** The push service of the sandbox. It takes the place of all others where it is bound. */
const SANDBOX_PUSH_HOST = "push.sandbox.internal";

/** How long a push service keeps a message for a phone that is off or has no data, in seconds. */
const KEPT_S = 24 * 60 * 60;
const SEND_TIMEOUT_MS = 10_000;

/** Sends to push services (RFC 8030). Null without a VAPID key: then there are no notifications outside the app. */
export function createPushSender(env: Env, outbound: typeof fetch): PushSender | null {
  const { VAPID_PRIVATE_KEY: privateKey, SUPPORT_EMAIL: contact } = env;
  if (!privateKey) return null;
  const publicKey = publicKeyOf(privateKey);
  const hosts = env.SANDBOX ? [SANDBOX_PUSH_HOST] : PUSH_SERVICES;
  const accepts = (endpoint: string) => isPushService(endpoint, hosts);
  return {
    publicKey,
    accepts,
    async send({ endpoint, p256dh, auth }, message) {
      if (!accepts(endpoint)) return "gone";
      const subscription = { endpoint, expirationTime: null, keys: { p256dh, auth } };
      const body = await encrypted(subscription, message);
      // Keys that a browser can't have: nobody will ever read a message there.
      if (body === null) return "gone";
      const { headers } = await vapidHeaders(subscription, { subject: `mailto:${contact}`, publicKey, privateKey });
      const response = await outbound(endpoint, {
        method: "POST",
        headers: {
          ...headers,
          TTL: String(KEPT_S),
          Urgency: "high",
          Topic: await topicOf(message.tag),
          "Content-Encoding": "aes128gcm",
          "Content-Type": "application/octet-stream",
        },
        body,
        redirect: "manual",
        signal: AbortSignal.timeout(SEND_TIMEOUT_MS),
      });
      await response.body?.cancel();
      if (response.status === 404 || response.status === 410) return "gone";
      if (!response.ok) throw new Error(`push service answered ${response.status}`);
      return "sent";
    },
  };
}

async function encrypted(
  subscription: Parameters<typeof encryptNotification>[0],
  message: PushMessage,
): Promise<Uint8Array<ArrayBuffer> | null> {
  try {
    // Without padding a message costs a phone some 300 bytes instead of 4,096.
    return await encryptNotification(subscription, new TextEncoder().encode(JSON.stringify(message)), { pad: false });
  } catch {
    return null;
  }
}

/** A message that still waits at the push service is replaced by a later one of the same topic: up to 32 characters. */
async function topicOf(tag: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(tag));
  return Buffer.from(digest).toString("base64url").slice(0, 32);
}
