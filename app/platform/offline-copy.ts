/**
 * The offline copy: what the offline page shows of the person's own things, as the server wrote it last
 * (app/screens/offline). It is kept like everything private in this browser, so a logout and another person's login
 * remove it.
 */
import { OFFLINE_COPY, readPrivate, viewerOnPage, writePrivate } from "./private-storage.ts";

/** What somebody is selling, and what both sides of a deal have. */
export interface OfflineSale {
  name: string;
  /** "KES 900 · Order 1A2B3C4D · 21 Nov 2026". */
  facts: string;
  status: string;
  /** The other side's name. */
  other: string;
  /** What is next, in a few words; null where the status or the meeting says it. */
  step: string | null;
  /** When and where the two have agreed to meet; null where they haven't. */
  meeting: string | null;
}

export interface OfflineItem extends OfflineSale {
  /** "123 456". Null where it doesn't work, or isn't needed. */
  code: string | null;
}

export interface OfflineCopy {
  /** Whose it is. */
  viewerId: string;
  /** Ms since 1970, like `until`. */
  savedAt: number;
  /** The same in words: "14:05" and "21 Nov 2026, 14:05". */
  saved: { time: string; date: string };
  /** Nothing of it may be shown later, because the session may have ended by then. */
  until: number;
  items: OfflineItem[];
  sales: OfflineSale[];
  listings: { name: string; price: string; place: string }[];
}

/** No larger copy is kept, in characters. */
const MAX_LENGTH = 60_000;
/** How old a copy may be before the next page renews it, in ms. */
const FRESH_MS = 5 * 60_000;
/** One change may bring several events, in ms. */
const SOON_MS = 3_000;

let waiting: ReturnType<typeof setTimeout> | undefined;

/** Renews the copy soon, because an order has changed. */
export function renewOfflineCopy(): void {
  clearTimeout(waiting);
  waiting = setTimeout(() => void fetchCopy(), SOON_MS);
}

/** Renews the copy unless it is fresh. */
export function refreshOfflineCopy(): void {
  const kept = readPrivate("device", OFFLINE_COPY) as Partial<OfflineCopy> | null;
  if (Date.now() - (kept?.savedAt ?? 0) > FRESH_MS) void fetchCopy();
}

/** What can't be fetched leaves the copy as it is. Data saver keeps none. */
async function fetchCopy(): Promise<void> {
  const viewerId = viewerOnPage();
  if (viewerId === undefined) return;
  if (document.documentElement.dataset.saver) return writePrivate("device", OFFLINE_COPY, null);
  try {
    const response = await fetch("/offline/copy", { redirect: "manual" });
    if (!response.ok) return;
    const text = await response.text();
    const copy = text.length > MAX_LENGTH ? null : (JSON.parse(text) as OfflineCopy | null);
    // Somebody may have logged out or in meanwhile, here or in another tab.
    if (viewerOnPage() === viewerId && (copy === null || copy.viewerId === viewerId))
      writePrivate("device", OFFLINE_COPY, copy);
  } catch {}
}
