import { createContext } from "react";
import type { TutorialEvent } from "#app/tutorial/tutorial-rules.ts";

export type Send = (event: TutorialEvent) => void;

/** Lets the buttons of the tour report what was pressed. */
export const SendContext = createContext<Send>(() => undefined);
