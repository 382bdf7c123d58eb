import "./messaging.css";
import { later } from "#app/ui/later.tsx";

/** `ItemConversation`, which is below what a page of an order says first. */
export const ItemConversation = later(async () => (await import("./item-conversation.tsx")).ItemConversation, {
  inView: true,
});
