/**
 * What a browser keeps for the person who is logged in: drafts, searches, browsing history. Everybody's is apart, because several
 * people may use one device, and all of it is removed when they log out (routes/visitor/layout.tsx).
 */
const PREFIX = "private:";

/** "device" is kept until it is forgotten and shared by all tabs; "tab" ends with its tab. */
export type Keeping = "device" | "tab";

const forgetters = new Set<() => void>();

/** The value under `name`, or null where nothing is kept or nobody is logged in. What it is, is for the caller to check. */
export function readPrivate(keeping: Keeping, name: string): unknown {
  try {
    return JSON.parse(storageOf(keeping).getItem(keyOf(name)) ?? "null");
  } catch {
    return null;
  }
}

/** Keeps a value that JSON can hold; null removes it. A browser that keeps nothing is left alone. */
export function writePrivate(keeping: Keeping, name: string, value: unknown): void {
  try {
    if (value === null) storageOf(keeping).removeItem(keyOf(name));
    else storageOf(keeping).setItem(keyOf(name), JSON.stringify(value));
  } catch {
    // Storage is full or forbidden, or nobody is logged in.
  }
}

/** Removes what this browser keeps of anybody, also from this page's memory. */
export function forgetPrivate(): void {
  for (const keeping of ["device", "tab"] as const) {
    try {
      const storage = storageOf(keeping);
      for (const key of Object.keys(storage)) if (key.startsWith(PREFIX)) storage.removeItem(key);
    } catch {
      // Nothing can be kept here.
    }
  }
  for (const forget of forgetters) forget();
}

/** `forget` empties what a module holds in memory. */
export function onForget(forget: () => void): void {
  forgetters.add(forget);
}

/** Reaching it may throw already, where the browser forbids it. */
function storageOf(keeping: Keeping): Storage {
  return keeping === "device" ? localStorage : sessionStorage;
}

/** @throws where nobody is logged in on this page. */
function keyOf(name: string): string {
  const viewerId = document.querySelector<HTMLElement>("[data-viewer]")?.dataset.viewer;
  if (!viewerId) throw new Error("nobody is logged in");
  return `${PREFIX}${viewerId}:${name}`;
}
