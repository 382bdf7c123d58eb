/** The few lines of the tour that every member's screen carries: whether it is on, and how it starts again. */
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

/** Whether the tour is on, and whether it begins now: then the new-user flag is spent (accounts spec §4). */
export function checkTutorial(): { active: boolean; begins: boolean } {
  try {
    const flags = readStartFlags();
    const begins = isNewcomer(flags);
    // Another student's half-finished tour is not this one's.
    if (begins) markActive();
    return { active: isActive(flags), begins };
  } catch (error) {
    console.warn("Error checking tutorial status", error);
    return { active: false, begins: false };
  }
}

/**
 * Sets the tour back to its beginning and on (accounts spec §4, tutorial restart).
 * @throws where the browser forbids storage.
 */
export function markActive(): void {
  localStorage.removeItem(FLAG_TUTORIAL_COMPLETED);
  LEFT_BEHIND.forEach((flag) => localStorage.removeItem(flag));
  localStorage.setItem(FLAG_LOGGED_IN_BEFORE, "true");
}
