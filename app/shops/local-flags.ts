/** Flags that this device remembers. In a browser without storage, none of them is set. */
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
    // The browser stores nothing. The terms will open again next time.
  }
}
