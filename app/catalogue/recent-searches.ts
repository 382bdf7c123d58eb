/** What was searched for on this device; kept in the browser only. */
const KEY = "recentSearches";
const KEPT = 8;

/** Newest first; none where the browser keeps nothing. */
export function readSearches(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept.filter((text) => typeof text === "string").slice(0, KEPT) : [];
  } catch {
    return [];
  }
}

export function noteSearch(text: string): void {
  const others = readSearches().filter((kept) => kept.toLowerCase() !== text.toLowerCase());
  write([text, ...others].slice(0, KEPT));
}

export function forgetSearches(): void {
  write([]);
}

function write(searches: string[]): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(searches));
  } catch {
    // A browser that keeps nothing still searches.
  }
}
