/** The recent searches on this device, separate for each user. */
import { readPrivate, writePrivate } from "#app/platform/private-storage.ts";

const NAME = "recent-searches";
const KEPT = 8;

/** Newest first. Empty in a browser without storage. */
export function readSearches(): string[] {
  const kept = readPrivate("device", NAME);
  return Array.isArray(kept) ? kept.filter((text) => typeof text === "string").slice(0, KEPT) : [];
}

export function noteSearch(text: string): void {
  const others = readSearches().filter((kept) => kept.toLowerCase() !== text.toLowerCase());
  writePrivate("device", NAME, [text, ...others].slice(0, KEPT));
}

export function forgetSearches(): void {
  writePrivate("device", NAME, null);
}
