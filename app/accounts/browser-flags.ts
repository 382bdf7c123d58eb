/** The small flags that accounts spec §3 keeps in the browser. They steer the guided tour and nothing that must be trusted. */
import { brand } from "#app/ui/brand.ts";

export const FLAG_NEW_USER = "isNewUser";
export const FLAG_LOGGED_IN_BEFORE = "hasLoggedInBefore";
export const FLAG_TUTORIAL_COMPLETED = `${brand.name.toLowerCase()}_tutorial_completed`;

/** How somebody came in through confirmation, Google or the completed profile. */
export type Arrival = "incomplete" | "complete" | "profile_completed";

/** Sets the flags of an arrival (accounts spec §4). A browser that keeps nothing is left alone. */
export function noteArrival(arrival: Arrival, storage: Pick<Storage, "getItem" | "setItem" | "removeItem"> = localStorage): void {
  try {
    if (arrival === "complete" && storage.getItem(FLAG_LOGGED_IN_BEFORE) !== null && storage.getItem(FLAG_TUTORIAL_COMPLETED) === "true") return;
    storage.setItem(FLAG_NEW_USER, "true");
    if (arrival !== "incomplete") storage.setItem(FLAG_LOGGED_IN_BEFORE, "true");
    storage.removeItem(FLAG_TUTORIAL_COMPLETED);
  } catch {
    // Storage is full or forbidden: the tour then decides without it.
  }
}
