/**
 * What this page has written and the server has not answered yet. It stands outside React, because sending goes on when the
 * conversation has left the screen, and in the tab's own storage, because it goes on after a reload. In one conversation nothing
 * overtakes: one message is on its way, the others wait. The key of each makes the server take it once, however often it is sent.
 */
import { useSyncExternalStore } from "react";
import type { ProductImage } from "#app/db/schema.ts";
import { onForget, readPrivate, writePrivate } from "#app/platform/private-storage.ts";
import { publishLive } from "./live-state.ts";
import type { MessageView } from "./messages.server.ts";
import { MESSAGE_TEXTS } from "./rules.ts";

/** Tries before a message counts as not sent, and the pause between them, ms. */
const TRIES = 3;
const PAUSE_MS = 1_000;

export interface Unsent {
  key: string;
  /** The conversation it stands in. */
  conversationKey: string;
  text: string;
  photos: readonly ProductImage[];
  /** Form fields that say whom it is for and what it is about. */
  fields: Record<string, string>;
  /** Ms since 1970. */
  writtenAt: number;
  /** Why it was not sent; null while it is under way. */
  failure: string | null;
  /** It failed on the way: when the connection is back it is sent by itself. */
  lost: boolean;
}

const NONE: readonly Unsent[] = [];
/** What an earlier page of this tab did not get to send has been taken up. */
let restored = false;
let unsent: readonly Unsent[] = NONE;
let byConversation = new Map<string, readonly Unsent[]>();
const underWay = new Set<string>();
const watchers = new Set<() => void>();
const outcomes = new Map<string, (failure: string | null) => void>();

/** What the page has not sent yet in a conversation, oldest first. */
export function useUnsent(conversationKey: string): readonly Unsent[] {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      restore();
      return () => void watchers.delete(watcher);
    },
    () => byConversation.get(conversationKey) ?? NONE,
    () => NONE,
  );
}

/** Sends a message; `onOutcome` hears once how the first tries went: null, or why not. */
export function post(
  message: Pick<Unsent, "conversationKey" | "text" | "photos" | "fields">,
  onOutcome: (failure: string | null) => void,
): void {
  const key = crypto.randomUUID();
  outcomes.set(key, onOutcome);
  set([...unsent, { ...message, key, writtenAt: Date.now(), failure: null, lost: false }]);
  void work(message.conversationKey);
}

/** Sends again what failed in a conversation from this message on. */
export function retry(key: string): void {
  const conversationKey = unsent.find((message) => message.key === key)?.conversationKey;
  if (conversationKey === undefined) return;
  set(
    unsent.map((message) =>
      message.conversationKey === conversationKey && (message.key === key || message.lost)
        ? { ...message, failure: null, lost: false }
        : message,
    ),
  );
  void work(conversationKey);
}

export function discard(key: string): void {
  set(unsent.filter((message) => message.key !== key));
}

function set(next: readonly Unsent[]): void {
  unsent = next;
  byConversation = new Map();
  for (const message of unsent) {
    const { conversationKey } = message;
    byConversation.set(conversationKey, [...(byConversation.get(conversationKey) ?? []), message]);
  }
  if (restored) writePrivate("tab", STORED_AS, unsent);
  for (const watcher of watchers) watcher();
}

const STORED_AS = "unsent-messages";

onForget(() => {
  restored = false;
  set([]);
});

/** Takes up, once a page, what an earlier page of this tab did not get to send. */
function restore(): void {
  if (restored) return;
  restored = true;
  addEventListener("online", resume);
  const kept = readPrivate("tab", STORED_AS);
  if (Array.isArray(kept) && kept.length > 0) {
    const messages = kept as Unsent[];
    set([
      ...messages.map((message) => ({ ...message, failure: message.lost ? null : message.failure, lost: false })),
      ...unsent,
    ]);
  }
  for (const conversationKey of byConversation.keys()) void work(conversationKey);
}

function resume(): void {
  for (const { key, lost } of unsent) if (lost) retry(key);
}

/** Sends what waits in a conversation, one after the other. */
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
  outcomes.delete(message.key);
  if (answer.ok) {
    // Where the conversation stands, the message takes the place of its draft in one step.
    publishLive({ type: "message", message: answer.message });
    discard(message.key);
    tell?.(null);
    return;
  }
  // What comes after it waits too: it may not make sense alone.
  const fails = (other: Unsent) =>
    other.key === message.key ||
    (answer.lost && other.conversationKey === message.conversationKey && other.failure === null);
  set(unsent.map((other) => (fails(other) ? { ...other, failure: answer.failure, lost: answer.lost } : other)));
  tell?.(answer.failure);
}

type Answer = { ok: true; message: MessageView } | { ok: false; failure: string; lost: boolean };

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
      if (response.status < 500) return { ok: false, failure: answer.error || MESSAGE_TEXTS.failed, lost: false };
      throw new Error(`answered ${response.status}`);
    } catch {
      if (attempt === TRIES) return { ok: false, failure: MESSAGE_TEXTS.failed, lost: true };
      await new Promise((done) => setTimeout(done, PAUSE_MS));
    }
  }
}
