/**
 * The messages that this page has sent and the server hasn't confirmed yet. They are kept outside React, because
 * sending continues when the conversation has left the screen, and in the tab's storage, because it continues after a
 * reload. Messages of one conversation keep their order: one is sent while the others wait. Each has a key, so that the
 * server stores it once. Every screen goes on with them (keep-up-to-date.ts).
 *
 * If the session has ended, sending is refused. They wait in the tab for the login of the same person.
 */
import { useSyncExternalStore } from "react";
import type { ProductImage } from "#app/db/product-image.ts";
import { onForget, readPrivate, UNSENT_MESSAGES, writePrivate } from "#app/platform/private-storage.ts";
import { createStore } from "#app/platform/store.ts";
import { publishLive } from "#app/live/live-state.ts";
import type { MessageView } from "#app/messaging/conversations/messages.server.ts";
import { MESSAGE_TEXTS } from "#app/messaging/message-rules.ts";

/** How often sending is tried before a message counts as not sent, and the pause between attempts, in ms. */
const TRIES = 3;
const PAUSE_MS = 1_000;

export interface Unsent {
  key: string;
  /** The key of its conversation. */
  conversationKey: string;
  text: string;
  photos: readonly ProductImage[];
  /** The form fields with the recipient and the subject. */
  fields: Record<string, string>;
  /** Why it wasn't sent; null while it is being sent. */
  failure: string | null;
  /** The connection failed. The message is sent again when the connection is back. */
  lost: boolean;
  /** It was refused because the session had ended. */
  isLoggedOut?: boolean;
  /** It has the sender's own handover code in it. It is sent only when they say so. */
  asks?: boolean;
}

const NONE: readonly Unsent[] = [];
/** Whether the unsent messages of an earlier page of this tab were taken over. */
let restored = false;
let unsent: readonly Unsent[] = NONE;
const byConversation = createStore<ReadonlyMap<string, readonly Unsent[]>>(new Map());
const underWay = new Set<string>();
const outcomes = new Map<string, (failure: string | null) => void>();

/** The unsent messages of a conversation, oldest first. */
export function useUnsent(conversationKey: string): readonly Unsent[] {
  return useSyncExternalStore(
    (watcher) => {
      const stop = byConversation.subscribe(watcher);
      restore();
      return stop;
    },
    () => byConversation.get().get(conversationKey) ?? NONE,
    () => NONE,
  );
}

/**
 * Sends a message. `onOutcome` is called with null when it is sent, or with why it wasn't, and again after each retry.
 */
export function post(
  message: Pick<Unsent, "conversationKey" | "text" | "photos" | "fields">,
  onOutcome: (failure: string | null) => void,
): void {
  restore();
  const key = crypto.randomUUID();
  outcomes.set(key, onOutcome);
  set([...unsent, { ...message, key, failure: null, lost: false }]);
  void work(message.conversationKey);
}

/** Sends the failed messages of a conversation again, from this one on. */
export function retry(key: string): void {
  const conversationKey = unsent.find((message) => message.key === key)?.conversationKey;
  if (conversationKey === undefined) return;
  set(
    unsent.map((message) =>
      message.conversationKey === conversationKey && (message.key === key || message.lost)
        ? {
            ...message,
            failure: null,
            lost: false,
            asks: false,
            fields: message.asks ? { ...message.fields, codeOk: "yes" } : message.fields,
          }
        : message,
    ),
  );
  void work(conversationKey);
}

export function discard(key: string): void {
  outcomes.delete(key);
  set(unsent.filter((message) => message.key !== key));
}

function set(next: readonly Unsent[]): void {
  unsent = next;
  if (restored) writePrivate("tab", UNSENT_MESSAGES, unsent.length > 0 ? unsent : null);
  const groups = new Map<string, readonly Unsent[]>();
  for (const message of unsent) {
    const { conversationKey } = message;
    groups.set(conversationKey, [...(groups.get(conversationKey) ?? []), message]);
  }
  byConversation.set(groups);
}

onForget(() => {
  restored = false;
  set([]);
});

/** Runs once on each page: takes over the messages that an earlier page of this tab couldn't send. */
function restore(): void {
  if (restored) return;
  restored = true;
  const stored = readPrivate("tab", UNSENT_MESSAGES);
  const messages = Array.isArray(stored) ? (stored as Unsent[]) : [];
  if (messages.length > 0) set([...messages.map(takeOver), ...unsent]);
  for (const conversationKey of byConversation.get().keys()) void work(conversationKey);
}

/** It is sent again if the connection had failed. Whoever reads that they must log in has done so. */
function takeOver(message: Unsent): Unsent {
  const failure = message.isLoggedOut ? MESSAGE_TEXTS.failed : message.failure;
  return { ...message, failure: message.lost ? null : failure, lost: false };
}

/** Goes on with the messages that lost their connection, also those of an earlier page. */
export function resumeSending(): void {
  restore();
  for (const { key, lost } of unsent) if (lost) retry(key);
}

/** Sends the waiting messages of a conversation, one after the other. */
async function work(conversationKey: string): Promise<void> {
  if (underWay.has(conversationKey)) return;
  underWay.add(conversationKey);
  try {
    for (let next = nextOf(conversationKey); next; next = nextOf(conversationKey)) await sendOne(next);
  } finally {
    underWay.delete(conversationKey);
  }
}

function nextOf(conversationKey: string): Unsent | undefined {
  return unsent.find((message) => message.conversationKey === conversationKey && message.failure === null);
}

async function sendOne(message: Unsent): Promise<void> {
  const answer = await trySending(message);
  const tell = outcomes.get(message.key);
  if (answer.ok) {
    // On an open conversation, the stored message replaces its placeholder in one step.
    publishLive({ type: "message", message: answer.message });
    discard(message.key);
    tell?.(null);
    return;
  }
  // The messages after it also wait, because they may not make sense alone.
  const fails = (other: Unsent) =>
    other.key === message.key ||
    (answer.lost && other.conversationKey === message.conversationKey && other.failure === null);
  set(
    unsent.map((other) =>
      fails(other)
        ? { ...other, failure: answer.failure, lost: answer.lost, isLoggedOut: answer.isLoggedOut, asks: answer.asks }
        : other,
    ),
  );
  tell?.(answer.failure);
}

type Answer =
  | { ok: true; message: MessageView }
  | { ok: false; failure: string; lost: boolean; isLoggedOut?: boolean; asks?: boolean };

async function trySending({ key, text, photos, fields }: Unsent): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const body = new URLSearchParams({ ...fields, text, key });
      for (const photo of photos) body.append("photo", photo.key);
      const response = await fetch("/api/messages", { method: "POST", body });
      const answer = (await response.json()) as
        | { success: true; data: MessageView }
        | { success: false; error?: string };
      if (answer.success) return { ok: true, message: answer.data };
      if (response.status < 500)
        return {
          ok: false,
          failure: answer.error || MESSAGE_TEXTS.failed,
          lost: false,
          isLoggedOut: response.status === 401,
          asks: response.status === 428,
        };
      throw new Error(`answered ${response.status}`);
    } catch {
      if (attempt === TRIES) return { ok: false, failure: MESSAGE_TEXTS.failed, lost: true };
      await new Promise((done) => setTimeout(done, PAUSE_MS));
    }
  }
}
