/**
 * The state of the live connection that every screen shares. It is small, so that the connection itself can be loaded
 * later (live-page.ts).
 */
import { useSyncExternalStore } from "react";
import type { LiveEvent } from "./live-events.ts";
import { createListeners, createStore } from "#app/platform/store.ts";

/** An event of the connection; or "missed" when events may have been missed and the data must be reloaded. */
export type ConnectionEvent = LiveEvent | { type: "missed" };

/** `subscribeLive` calls back for every event, and returns a function that stops it. */
const listeners = createListeners<ConnectionEvent>();
export const subscribeLive = listeners.add;

let anyEvent = false;

/** Whether an event has come since the browser loaded the page. */
export function hasReceivedEvents(): boolean {
  return anyEvent;
}

export function publishLive(event: ConnectionEvent): void {
  anyEvent = true;
  listeners.tell(event);
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

/** The conversations on the screen: ids of people, or of items. A plain set, because nothing is rendered from it. */
export const onScreen = new Set<string>();

/** The unread count, as the server last said it. Null until it has. */
export const unreadCount = createStore<number | null>(null);

/** How many notifications are unread, as the server last said it: what the bell shows. */
export const bellCount = createStore(0);

let unreadChanges = 0;

/**
 * How often the unread count has changed since the browser loaded the page. Data that was asked for earlier is older.
 */
export function countUnreadChanges(): number {
  return unreadChanges;
}

/** Sets the unread count after a message has arrived or was read. */
export function changeUnread(count: number): void {
  unreadChanges += 1;
  unreadCount.set(count);
}

/** The unread count: `saved`, which came with the page, until something newer is known. */
export function useUnread(saved: number): number {
  return useSyncExternalStore(
    unreadCount.subscribe,
    () => unreadCount.get() ?? saved,
    () => saved,
  );
}
