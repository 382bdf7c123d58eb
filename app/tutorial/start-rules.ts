/** Decides when the guided tour is on. Every screen needs these rules; tutorial-rules.ts is fetched with the tour. */

/** Flags in local storage. Null: not set. */
export interface StartFlags {
  newUser: string | null;
  loggedInBefore: string | null;
  completed: string | null;
}

/** Wait between a page's load and the check for new users, ms. */
export const NEWCOMER_CHECK_MS = 1000;
export const HOME = "/home";

/**
 * Whether the tour is on. It is on for people who signed up in this browser or restarted it, until they complete it. Logging in
 * on a second device does not start it.
 */
export function isActive({ newUser, loggedInBefore, completed }: StartFlags): boolean {
  return completed !== "true" && (newUser === "true" || loggedInBefore === "true");
}

/** Whether the tour begins now, because the user is flagged as new. */
export function isNewcomer({ newUser, completed }: StartFlags): boolean {
  return newUser === "true" && completed !== "true";
}

/** Whether the tour can begin on this page. On other pages the user is first sent to the home page. */
export function beginsHere(path: string): boolean {
  return path === HOME || path === "/complete-profile";
}
