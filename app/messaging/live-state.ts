/**
 * What this page knows of the live channel: a few names that every screen shares, so that the channel itself can arrive later
 * (live-page.ts).
 */
import { useSyncExternalStore } from "react";
import type { LiveEvent } from "#app/platform/live-events.ts";

/** An event of the channel; or "missed", when events may have been missed and what is shown is to be read anew. */
export type Happening = LiveEvent | { type: "missed" };

const listeners = new Set<(liveEvent: Happening) => void>();

/** Calls back with everything that happens; returns the undoing. */
export function subscribeLive(listener: (liveEvent: Happening) => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export function publishLive(liveEvent: Happening): void {
  for (const listener of listeners) listener(liveEvent);
}

interface Channel {
  isUp(): boolean;
  /** Tells `to` that the viewer is writing to them. */
  sayTyping(to: string): void;
}

let channel: Channel | null = null;

/** Null where there is none, or not yet: what is shown is then kept up to date by polling. */
export function liveChannel(): Channel | null {
  return channel;
}

export function setLiveChannel(next: Channel | null): void {
  channel = next;
}

/** What is on the screen: the id of a person whose conversation is, or of an item whose messages are. Nobody need be told of it. */
export const onScreen = new Set<string>();

let unread: number | null = null;
const watchers = new Set<() => void>();

/** How many messages wait; called with what the server says, whoever asked it. */
export function setUnread(count: number): void {
  if (unread === count) return;
  unread = count;
  for (const watcher of watchers) watcher();
}

/** Calls back when the number of unread messages changes; returns the undoing. */
export function watchUnread(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => void watchers.delete(watcher);
}

export function unreadNow(): number {
  return unread ?? 0;
}

/** How many messages wait: `saved`, as the page came, until something newer is known. */
export function useUnread(saved: number): number {
  return useSyncExternalStore(
    watchUnread,
    () => unread ?? saved,
    () => saved,
  );
}
