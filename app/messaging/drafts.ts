/** What was typed in a conversation and not sent, kept in the tab, so that it is there again after a look elsewhere or a reload. */
import { useSyncExternalStore } from "react";

const watchers = new Set<() => void>();
/** For a browser that keeps nothing, and so that a text is read once. */
const texts = new Map<string, string>();

/** The text of a conversation's box, and what changes it. */
export function useDraft(lane: string): [string, (text: string) => void] {
  const text = useSyncExternalStore(
    watch,
    () => read(lane),
    () => "",
  );
  return [text, (next) => write(lane, next)];
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => void watchers.delete(watcher);
}

function nameOf(lane: string): string {
  return `message-draft:${lane}`;
}

function read(lane: string): string {
  const known = texts.get(lane);
  if (known !== undefined) return known;
  let kept = "";
  try {
    kept = sessionStorage.getItem(nameOf(lane)) ?? "";
  } catch {
    // The text lives as long as the page.
  }
  texts.set(lane, kept);
  return kept;
}

function write(lane: string, text: string): void {
  texts.set(lane, text);
  try {
    if (text === "") sessionStorage.removeItem(nameOf(lane));
    else sessionStorage.setItem(nameOf(lane), text);
  } catch {
    // As above.
  }
  for (const watcher of watchers) watcher();
}
