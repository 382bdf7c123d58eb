/** The browser flags that a login leaves for the guided tour. */
import {
  FLAG_LOGGED_IN_BEFORE,
  FLAG_NEW_USER,
  FLAG_TUTORIAL_COMPLETED,
  NEW_USER_WAITS,
} from "#app/ui/browser/browser-flags.ts";

/**
 * The state of the profile of a user who arrives by the confirmation link, by an issuer, or after completing the
 * profile.
 */
export type Arrival = "incomplete" | "complete" | "profile_completed";

/**
 * Sets the flags that control the tour (docs/product-rules.md, "Tour"). `tourWaits`: until they open Home. Does nothing
 * in a browser without storage.
 */
export function noteArrival(
  arrival: Arrival,
  tourWaits = false,
  given?: Pick<Storage, "getItem" | "setItem" | "removeItem">,
): void {
  try {
    // If storage is forbidden, even reading the variable throws.
    const storage = given ?? localStorage;
    if (
      arrival === "complete" &&
      storage.getItem(FLAG_LOGGED_IN_BEFORE) !== null &&
      storage.getItem(FLAG_TUTORIAL_COMPLETED) === "true"
    )
      return;
    storage.setItem(FLAG_NEW_USER, tourWaits ? NEW_USER_WAITS : "true");
    if (arrival !== "incomplete") storage.setItem(FLAG_LOGGED_IN_BEFORE, "true");
    storage.removeItem(FLAG_TUTORIAL_COMPLETED);
  } catch {
    // Storage is full or forbidden. The tour then decides without the flags.
  }
}
