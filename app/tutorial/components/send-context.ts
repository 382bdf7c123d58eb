import { createContext } from "react";
import type { TutorialEvent } from "#app/tutorial/rules.ts";

export type Send = (event: TutorialEvent) => void;

/** How the parts of the tour tell it what was pressed. */
export const SendContext = createContext<Send>(() => undefined);
