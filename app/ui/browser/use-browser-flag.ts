import { useSyncExternalStore } from "react";

const readers = new Set<() => void>();

function subscribe(changed: () => void): () => void {
  readers.add(changed);
  return () => void readers.delete(changed);
}

function isSet(flag: string): boolean {
  try {
    return localStorage.getItem(flag) === "true";
  } catch {
    return false;
  }
}

function write(flag: string, value: boolean): void {
  try {
    if (value) localStorage.setItem(flag, "true");
    else localStorage.removeItem(flag);
  } catch {
    // The browser stores nothing, so the flag stays off.
  }
  for (const changed of readers) changed();
}

/** A flag of browser-flags.ts that this browser keeps, and a function that sets it. False on the server. */
export function useBrowserFlag(flag: string): [boolean, (value: boolean) => void] {
  const value = useSyncExternalStore(
    subscribe,
    () => isSet(flag),
    () => false,
  );
  return [value, (next) => write(flag, next)];
}
