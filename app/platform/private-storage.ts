/**
 * What a browser keeps for the user who is logged in: drafts, searches, browsing history. It is separate for each user,
 * because several people may use one device, and all of it is removed when they log out (routes/visitor/layout.tsx).
 */
const PREFIX = "private:";

/** "device" is shared by all tabs and kept until it is removed. "tab" ends with its tab. */
export type StorageKind = "device" | "tab";

const forgetListeners = new Set<() => void>();

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

/** Removes what this browser keeps of all users, also from this page's memory. */
export function forgetPrivate(): void {
  for (const kind of ["device", "tab"] as const) {
    try {
      const storage = storageOf(kind);
      for (const key of Object.keys(storage)) if (key.startsWith(PREFIX)) storage.removeItem(key);
    } catch {
      // This browser has no storage.
    }
  }
  for (const forget of forgetListeners) forget();
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
