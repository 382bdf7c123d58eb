import { createContext } from "react";
import { toast } from "#app/ui/feedback/toast.ts";
import type { TutorialEvent } from "#app/tutorial/tutorial-rules.ts";

export type Send = (event: TutorialEvent) => void;

/** Lets the buttons of the tour report what was pressed. */
export const SendContext = createContext<Send>(() => undefined);

/** Ends the tour, by a button or with Escape, and says how to have it again. */
export function endTour(send: Send): void {
  send({ type: "end" });
  toast.info("Tour ended. You can restart it in Settings.", { duration: 4000 });
}
