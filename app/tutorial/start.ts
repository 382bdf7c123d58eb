/** Begins the tour for a new user, and restarts it. Fetched with the tour, or when the restart button is pressed. */
import type { NavigateFunction } from "react-router";
import {
  FLAG_LOGGED_IN_BEFORE,
  FLAG_NEW_USER,
  FLAG_ORDERS_TUTORIAL_PENDING,
  FLAG_SHOP_TUTORIAL_COMPLETED,
  FLAG_TUTORIAL_COMPLETED,
  FLAG_TUTORIAL_PROGRESS,
  FLAG_TUTORIAL_RESTARTED,
} from "#app/ui/browser/browser-flags.ts";
import { toast } from "#app/ui/feedback/toast.ts";
import { readStartFlags } from "./start-flags.ts";
import { beginsHere, HOME, isNewcomer } from "./start-rules.ts";

const RESET_FLAGS = [FLAG_NEW_USER, FLAG_TUTORIAL_PROGRESS, FLAG_SHOP_TUTORIAL_COMPLETED, FLAG_ORDERS_TUTORIAL_PENDING];

/** Wait between a restart and the page reload, ms. */
const RESTART_RELOAD_MS = 500;
export const RESTARTED_TEXT = "Tutorial will restart on the home page";

/** For a user who is flagged as new: removes the flag, and leads to the home page, where the tour begins. */
export function beginTutorial(navigate: NavigateFunction): void {
  try {
    if (!isNewcomer(readStartFlags(), location.pathname)) return;
    // Someone else may have left a half-finished tour in this browser.
    markActive();
    if (!beginsHere(location.pathname)) void navigate(HOME);
  } catch (error) {
    console.warn("Error checking tutorial status", error);
  }
}

/**
 * Restarts the tour on the home page, after a reload.
 * @throws where the browser forbids storage.
 */
export function restartTutorial(navigate: NavigateFunction): void {
  markActive();
  sessionStorage.setItem(FLAG_TUTORIAL_RESTARTED, String(performance.timeOrigin));
  toast.success(RESTARTED_TEXT);
  void navigate(HOME);
  setTimeout(() => (location.pathname === HOME ? location.reload() : location.assign(HOME)), RESTART_RELOAD_MS);
}

/** Turns the tour on, from its first step. */
function markActive(): void {
  localStorage.removeItem(FLAG_TUTORIAL_COMPLETED);
  RESET_FLAGS.forEach((flag) => localStorage.removeItem(flag));
  localStorage.setItem(FLAG_LOGGED_IN_BEFORE, "true");
}
