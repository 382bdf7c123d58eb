/**
 * The state of the live connection that every screen shares. It is small, so that the connection itself can be loaded
 * later (live-page.ts).
 */
import { useSyncExternalStore } from "react";
import type { LiveEvent } from "#app/platform/live-events.ts";

/** An event of the connection; or "missed" when events may have been missed and the data must be reloaded. */
export type Happening = LiveEvent | { type: "missed" };

const listeners = new Set<(liveEvent: Happening) => void>();

/** Calls back for every event. Returns a function that stops it. */
export function subscribeLive(listener: (liveEvent: Happening) => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export function publishLive(liveEvent: Happening): void {
  for (const listener of listeners) listener(liveEvent);
}

interface Channel {
  isUp(): boolean;
  /** Tells the user `to` that the viewer is typing. */
  sayTyping(to: string): void;
}

let channel: Channel | null = null;

/** Null while there is no connection. Then the page polls. */
export function liveChannel(): Channel | null {
  return channel;
}

export function setLiveChannel(next: Channel | null): void {
  channel = next;
}

/** The conversations on the screen: ids of people, or of items. No subscriber needs to know. */
export const onScreen = new Set<string>();

let unread: number | null = null;
const watchers = new Set<() => void>();

/** The unread count. Called with what the server says, whichever request it came from. */
export function setUnread(count: number): void {
  if (unread === count) return;
  unread = count;
  for (const watcher of watchers) watcher();
}

/** Calls back when the unread count changes. Returns a function that stops it. */
export function watchUnread(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => void watchers.delete(watcher);
}

export function unreadNow(): number {
  return unread ?? 0;
}

/** The unread count: `saved`, which came with the page, until something newer is known. */
export function useUnread(saved: number): number {
  return useSyncExternalStore(
    watchUnread,
    () => unread ?? saved,
    () => saved,
  );
}
