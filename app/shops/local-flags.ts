/** Flags this device remembers (commerce spec §9, storage keys). A browser that keeps nothing has none of them set. */
export type LocalFlag = "hasDismissedToSBanner" | "hasSeenToS";

export function readFlag(flag: LocalFlag): boolean {
  try {
    return localStorage.getItem(flag) === "true";
  } catch {
    return false;
  }
}

export function setFlag(flag: LocalFlag): void {
  try {
    localStorage.setItem(flag, "true");
  } catch {
    // Then it is asked again next time.
  }
}
