/**
 * The unsent text of each conversation. The tab keeps it, so that it is restored after a visit elsewhere or a reload.
 */
import { useSyncExternalStore } from "react";
import { onForget, readPrivate, writePrivate } from "#app/platform/private-storage.ts";

const watchers = new Set<() => void>();
/** For browsers without storage, and to read each text only once. By conversation. */
const texts = new Map<string, string>();

onForget(() => texts.clear());

/** The text of a conversation's box, and a function that changes it. */
export function useDraft(conversationKey: string): [string, (text: string) => void] {
  const text = useSyncExternalStore(
    watch,
    () => read(conversationKey),
    () => "",
  );
  return [text, (next) => write(conversationKey, next)];
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => void watchers.delete(watcher);
}

function nameOf(conversationKey: string): string {
  return `message-draft:${conversationKey}`;
}

function read(conversationKey: string): string {
  const known = texts.get(conversationKey);
  if (known !== undefined) return known;
  const kept = readPrivate("tab", nameOf(conversationKey));
  const text = typeof kept === "string" ? kept : "";
  texts.set(conversationKey, text);
  return text;
}

function write(conversationKey: string, text: string): void {
  texts.set(conversationKey, text);
  writePrivate("tab", nameOf(conversationKey), text === "" ? null : text);
  for (const watcher of watchers) watcher();
}
