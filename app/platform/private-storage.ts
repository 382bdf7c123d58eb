/**
 * What a browser keeps for the user who is logged in: drafts, searches, browsing history. It is separate for each user,
 * because several people may use one device. All of it is removed when they log out (root.tsx,
 * routes/visitor/layout.tsx), or when somebody else logs in. Where a session has only ended by time, it waits for its
 * user.
 */
export const PREFIX = "private:";
/** The name of the offline copy (offline-copy.ts). It must not outlive its person's session. */
export const OFFLINE_COPY = "offline";
/** The name of the messages that a tab has still to send (unsent-messages.ts). */
export const UNSENT_MESSAGES = "unsent-messages";

/** "device" is shared by all tabs and kept until it is removed. "tab" ends with its tab. */
export type StorageKind = "device" | "tab";

const forgetListeners = new Set<() => void>();
/** Tells the other tabs, whose storage only they can empty. Null where the browser has no channels. */
export const logouts =
  typeof document === "object" && typeof BroadcastChannel === "function" ? new BroadcastChannel("logouts") : null;
logouts?.addEventListener("message", forgetHere);
/** The user whose screen was shown last. */
let lastViewer: string | undefined;

/** The value under `name`; null when there is none or nobody is logged in. The caller must check its shape. */
export function readPrivate(kind: StorageKind, name: string): unknown {
  try {
    return JSON.parse(storageOf(kind).getItem(keyOf(name)) ?? "null");
  } catch {
    return null;
  }
}

/** Stores a value that JSON can hold; null removes it. Does nothing in a browser without storage. */
export function writePrivate(kind: StorageKind, name: string, value: unknown): void {
  try {
    if (value === null) storageOf(kind).removeItem(keyOf(name));
    else storageOf(kind).setItem(keyOf(name), JSON.stringify(value));
  } catch {
    // Storage is full or forbidden, or nobody is logged in.
  }
}

/** Removes what this browser keeps of all users, in every tab, also from the memory of pages. */
export function forgetPrivate(): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target
  logouts?.postMessage(null);
  forgetHere();
}

function forgetHere(): void {
  remove((key) => key.startsWith(PREFIX));
  forgetMemory();
}

/** Removes what this tab and the device keep of others than the user on this page. Call it on each screen. */
export function forgetOthers(): void {
  const viewerId = viewerOnPage();
  if (viewerId === undefined || viewerId === lastViewer) return;
  if (lastViewer !== undefined) forgetMemory();
  lastViewer = viewerId;
  remove((key) => key.startsWith(PREFIX) && !key.startsWith(`${PREFIX}${viewerId}:`));
}

/** Empties what modules of this page hold in memory, and the offline copy. What else is stored waits for its user. */
export function forgetMemory(): void {
  for (const forget of forgetListeners) forget();
  remove((key) => key.startsWith(PREFIX) && key.endsWith(`:${OFFLINE_COPY}`));
}

function remove(isMeant: (key: string) => boolean): void {
  for (const kind of ["device", "tab"] as const) {
    try {
      const storage = storageOf(kind);
      for (const key of Object.keys(storage)) if (isMeant(key)) storage.removeItem(key);
    } catch {
      // This browser has no storage.
    }
  }
}

/** `forget` empties what a module holds in memory. */
export function onForget(forget: () => void): void {
  forgetListeners.add(forget);
}

/** If the browser forbids storage, even reading the variable throws. */
function storageOf(kind: StorageKind): Storage {
  return kind === "device" ? localStorage : sessionStorage;
}

/** The id of the user whose screen is shown. */
export function viewerOnPage(): string | undefined {
  return document.querySelector<HTMLElement>("[data-viewer]")?.dataset.viewer;
}

/** @throws when nobody is logged in on this page */
function keyOf(name: string): string {
  const viewerId = viewerOnPage();
  if (!viewerId) throw new Error("nobody is logged in");
  return `${PREFIX}${viewerId}:${name}`;
}
