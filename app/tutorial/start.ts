/** The part of the tour that every screen of a signed-in user loads: whether the tour is on, and how to restart it. */
import {
  FLAG_LOGGED_IN_BEFORE,
  FLAG_NEW_USER,
  FLAG_ORDERS_TUTORIAL_PENDING,
  FLAG_SHOP_TUTORIAL_COMPLETED,
  FLAG_TUTORIAL_COMPLETED,
  FLAG_TUTORIAL_PROGRESS,
} from "#app/ui/browser-flags.ts";
import { isActive, isNewcomer, type StartFlags } from "./start-rules.ts";

const LEFT_BEHIND = [FLAG_NEW_USER, FLAG_TUTORIAL_PROGRESS, FLAG_SHOP_TUTORIAL_COMPLETED, FLAG_ORDERS_TUTORIAL_PENDING];

/** @throws where the browser forbids storage. */
export function readStartFlags(): StartFlags {
  return {
    newUser: localStorage.getItem(FLAG_NEW_USER),
    loggedInBefore: localStorage.getItem(FLAG_LOGGED_IN_BEFORE),
    completed: localStorage.getItem(FLAG_TUTORIAL_COMPLETED),
  };
}

/** Whether the tour is on, and whether it begins now. If it begins now, the new-user flag is removed. */
export function checkTutorial(): { active: boolean; begins: boolean } {
  try {
    const flags = readStartFlags();
    const begins = isNewcomer(flags);
    // Someone else may have left a half-finished tour in this browser.
    if (begins) markActive();
    return { active: isActive(flags), begins };
  } catch (error) {
    console.warn("Error checking tutorial status", error);
    return { active: false, begins: false };
  }
}

/**
 * Turns the tour on, from its first step.
 * @throws where the browser forbids storage.
 */
export function markActive(): void {
  localStorage.removeItem(FLAG_TUTORIAL_COMPLETED);
  LEFT_BEHIND.forEach((flag) => localStorage.removeItem(flag));
  localStorage.setItem(FLAG_LOGGED_IN_BEFORE, "true");
}
