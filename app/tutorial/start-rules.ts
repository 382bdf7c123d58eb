/** Decides when the guided tour is on. Every screen needs these rules; tutorial-rules.ts is fetched with the tour. */

/** Flags in local storage. Null: not set. */
export interface StartFlags {
  newUser: string | null;
  loggedInBefore: string | null;
  completed: string | null;
  /** The new user is on the way to another screen, so the tour waits until they open Home. */
  waits: boolean;
}

/** Wait between a page's load and the check for new users, ms. */
export const NEWCOMER_CHECK_MS = 1000;
export const HOME = "/home";

/**
 * Whether the tour is on. It is on for people who signed up in this browser or restarted it, until they complete it.
 * Logging in on a second device does not start it. Whoever arrived on the way to another screen sees nothing of it
 * before Home.
 */
export function isActive({ newUser, loggedInBefore, completed, waits }: StartFlags, path: string): boolean {
  if (waits && path !== HOME) return false;
  return completed !== "true" && (waits || newUser === "true" || loggedInBefore === "true");
}

/** Whether the tour begins now, because the user is flagged as new. */
export function isNewcomer({ newUser, completed, waits }: StartFlags, path: string): boolean {
  return (newUser === "true" || (waits && path === HOME)) && completed !== "true";
}

/** Whether the tour can begin on this page. On other pages the user is first sent to the home page. */
export function beginsHere(path: string): boolean {
  return path === HOME || path === "/complete-profile";
}
