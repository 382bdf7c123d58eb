/** What a login leaves in the browser for the guided tour. */
import { FLAG_LOGGED_IN_BEFORE, FLAG_NEW_USER, FLAG_TUTORIAL_COMPLETED } from "#app/ui/browser-flags.ts";

/** The state of the profile when somebody arrives by the confirmation link, by Google, or from completing the profile. */
export type Arrival = "incomplete" | "complete" | "profile_completed";

/** Sets the flags that steer the tour (docs/product-rules.md, "Tour"). Does nothing in a browser that keeps nothing. */
export function noteArrival(arrival: Arrival, given?: Pick<Storage, "getItem" | "setItem" | "removeItem">): void {
  try {
    // Where storage is forbidden, reading the variable is enough to throw.
    const storage = given ?? localStorage;
    if (
      arrival === "complete" &&
      storage.getItem(FLAG_LOGGED_IN_BEFORE) !== null &&
      storage.getItem(FLAG_TUTORIAL_COMPLETED) === "true"
    )
      return;
    storage.setItem(FLAG_NEW_USER, "true");
    if (arrival !== "incomplete") storage.setItem(FLAG_LOGGED_IN_BEFORE, "true");
    storage.removeItem(FLAG_TUTORIAL_COMPLETED);
  } catch {
    // Storage is full or forbidden: the tour then decides without it.
  }
}
