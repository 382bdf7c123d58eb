import "./messaging.css";
import { later } from "#app/ui/later.tsx";

/** `MessageDialog`, whose script loads when somebody is about to press its button. */
export const MessageDialog = later(async () => (await import("./message-dialog.tsx")).MessageDialog, {
  isWanted: ({ startsOpen }) => startsOpen === true,
});
