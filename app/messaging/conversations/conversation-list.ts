import type { ConversationView } from "./conversations.server.ts";

/**
 * The conversations of a list, with those that were read since it was loaded as they were when they were last `opened`:
 * the router loads only the first page and the last one again.
 */
export function withOpened(list: ConversationView[], opened: ConversationView[]): ConversationView[] {
  return list.map((listed) => opened.find((known) => wasReadSince(listed, known)) ?? listed);
}

function wasReadSince(listed: ConversationView, opened: ConversationView): boolean {
  return opened.id === listed.id && opened.lastAt === listed.lastAt && opened.unread < listed.unread;
}
