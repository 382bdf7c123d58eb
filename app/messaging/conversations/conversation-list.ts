import type { ConversationView } from "./conversations.server.ts";

/** The conversations with their freshest data, the last written first. In `fresh` the later data of a person wins. */
export function withFresh(known: ConversationView[], fresh: ConversationView[]): ConversationView[] {
  const byPerson = new Map([...known, ...fresh].map((conversation) => [conversation.otherId, conversation]));
  return [...byPerson.values()].toSorted((one, other) => other.lastAt - one.lastAt);
}
