import {
  FLAG_LOGGED_IN_BEFORE,
  FLAG_NEW_USER,
  FLAG_TUTORIAL_COMPLETED,
  NEW_USER_WAITS,
} from "#app/ui/browser/browser-flags.ts";
import type { StartFlags } from "./start-rules.ts";

/** @throws when the browser forbids storage */
export function readStartFlags(): StartFlags {
  return {
    newUser: localStorage.getItem(FLAG_NEW_USER),
    loggedInBefore: localStorage.getItem(FLAG_LOGGED_IN_BEFORE),
    completed: localStorage.getItem(FLAG_TUTORIAL_COMPLETED),
    waits: localStorage.getItem(FLAG_NEW_USER) === NEW_USER_WAITS,
  };
}
