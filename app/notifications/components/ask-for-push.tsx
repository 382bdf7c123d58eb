import { type ComponentType, useEffect, useState } from "react";
import type { AskReason } from "#app/notifications/push/push-texts.ts";
import { FLAG_ASKED_FOR_PUSH } from "#app/ui/browser/browser-flags.ts";

// A function of its own: Vite takes a `then` that follows an import into its loader, which then fails past our handler.
const loadQuestion = () => import("./push-question.tsx");

/**
 * The question for notifications on this device, as a line of the page, where its viewer has begun to wait for
 * somebody. It stays until it is answered, once for all pages. Its script comes only where nobody has answered yet.
 */
export function AskForPush({ reason }: { reason: AskReason }) {
  const [Question, setQuestion] = useState<ComponentType<{ reason: AskReason }>>();
  useEffect(() => {
    if (!isOpen()) return;
    let isOver = false;
    loadQuestion().then(
      ({ PushQuestion }) => {
        if (!isOver) setQuestion(() => PushQuestion);
      },
      // Without a connection nobody is asked.
      () => {},
    );
    return () => {
      isOver = true;
    };
  }, []);
  return Question && <Question reason={reason} />;
}

/** Without storage it would ask on each page, so it doesn't. */
function isOpen(): boolean {
  try {
    return localStorage.getItem(FLAG_ASKED_FOR_PUSH) === null;
  } catch {
    return false;
  }
}
