/**
 * The unsent text of each conversation. The tab keeps it, so that it is restored after a visit elsewhere or a reload.
 */
import { useSyncExternalStore } from "react";
import { onForget, readPrivate, writePrivate } from "#app/platform/private-storage.ts";
import { createStore } from "#app/platform/store.ts";

const NONE: ReadonlyMap<string, string> = new Map();
/** The texts typed on this page, by conversation. Browsers without storage have only these. */
const typed = createStore(NONE);

onForget(() => typed.set(NONE));

/** The text of a conversation's box, and a function that changes it. */
export function useDraft(conversationKey: string): [string, (text: string) => void] {
  const text = useSyncExternalStore(
    typed.subscribe,
    () => read(conversationKey),
    () => "",
  );
  return [text, (next) => write(conversationKey, next)];
}

function nameOf(conversationKey: string): string {
  return `message-draft:${conversationKey}`;
}

function read(conversationKey: string): string {
  const text = typed.get().get(conversationKey) ?? readPrivate("tab", nameOf(conversationKey));
  return typeof text === "string" ? text : "";
}

function write(conversationKey: string, text: string): void {
  writePrivate("tab", nameOf(conversationKey), text === "" ? null : text);
  typed.set(new Map(typed.get()).set(conversationKey, text));
}
