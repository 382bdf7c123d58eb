import { useSyncExternalStore } from "react";
import { createListeners } from "#app/platform/store.ts";

const changes = createListeners<void>();

/** Whether this browser keeps a flag of browser-flags.ts. Without storage, none is set. */
export function readFlag(flag: string): boolean {
  try {
    return localStorage.getItem(flag) === "true";
  } catch {
    return false;
  }
}

export function writeFlag(flag: string, value: boolean): void {
  try {
    if (value) localStorage.setItem(flag, "true");
    else localStorage.removeItem(flag);
  } catch {
    // The browser stores nothing, so the flag stays off.
  }
  changes.tell();
}

/** A flag of browser-flags.ts that this browser keeps, and a function that sets it. False on the server. */
export function useBrowserFlag(flag: string): [boolean, (value: boolean) => void] {
  const value = useSyncExternalStore(
    changes.add,
    () => readFlag(flag),
    () => false,
  );
  return [value, (next) => writeFlag(flag, next)];
}
