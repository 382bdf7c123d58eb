/** When the guided tour is on. Apart from rules.ts, because every screen of a member asks this and the rest is fetched with the tour. */

/** The flags of accounts spec §3 as the browser keeps them; null where nothing is kept. */
export interface StartFlags {
  newUser: string | null;
  loggedInBefore: string | null;
  completed: string | null;
}

/** Ms from a page's load to the look at who is new (accounts spec §9). */
export const NEWCOMER_CHECK_MS = 1000;
/** Ms from the restart to the reload (accounts spec §9). */
export const RESTART_RELOAD_MS = 500;

export const RESTART_TEXTS = {
  done: "Tutorial will restart on the home page",
  failed: "Failed to restart tutorial",
} as const;

export const HOME = "/home";

/**
 * Whether the tour is on: unless it is completed, for those who arrived new in this browser or asked for it (accounts spec §4, §6).
 * Who only signs in on a second device is not new, and is left alone.
 */
export function isActive({ newUser, loggedInBefore, completed }: StartFlags): boolean {
  return completed !== "true" && (newUser === "true" || loggedInBefore === "true");
}

/** Whether the tour begins now, for somebody flagged new (accounts spec §4). */
export function isNewcomer({ newUser, completed }: StartFlags): boolean {
  return newUser === "true" && completed !== "true";
}

/** Whether a newcomer stays on the page; everybody else's tour begins on the home page (accounts spec §4). */
export function beginsHere(path: string): boolean {
  return path === HOME || path === "/complete-profile";
}
