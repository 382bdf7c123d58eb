import type { LiveEvent } from "#app/live/live-events.ts";

/**
 * The toast of an event on the page at this path; null for none. A page that shows it by itself needs none, and where
 * somebody waits for a payment, nothing about other things covers its result: the bell counts them.
 */
export function noticeOn(path: string, event: LiveEvent): string | null {
  if (!("notice" in event) || !event.notice) return null;
  if ("shownOn" in event && event.shownOn === path) return null;
  return path.startsWith("/checkout/") && event.type !== "account" ? null : event.notice;
}
