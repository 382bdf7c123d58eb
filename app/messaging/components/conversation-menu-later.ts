import "./messaging.css";
import { later } from "#app/ui/later.tsx";

/** `ConversationMenu`, whose script loads when somebody is about to open it. */
export const ConversationMenu = later(async () => (await import("./conversation-menu.tsx")).ConversationMenu);
