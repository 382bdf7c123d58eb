/** Reads and writes the flags that the tour keeps in the browser. Without storage the tour is off. */
import {
  FLAG_LOGGED_IN_BEFORE,
  FLAG_NEW_USER,
  FLAG_ORDERS_TUTORIAL_PENDING,
  FLAG_SHOP_TUTORIAL_COMPLETED,
  FLAG_TUTORIAL_COMPLETED,
  FLAG_TUTORIAL_PROGRESS,
  FLAG_TUTORIAL_RESTARTED,
} from "#app/ui/browser/browser-flags.ts";
import { NOT_BEGUN, readProgress, type Tutorial } from "./tutorial-rules.ts";
import { readStartFlags } from "./start-flags.ts";
import { isActive } from "./start-rules.ts";

/** The tutorial as it was left. */
export function readTutorial(): Tutorial {
  try {
    return {
      ...NOT_BEGUN,
      active: isActive(readStartFlags(), location.pathname),
      progress: readProgress(localStorage.getItem(FLAG_TUTORIAL_PROGRESS)),
      shopDone: localStorage.getItem(FLAG_SHOP_TUTORIAL_COMPLETED) === "true",
      ordersPending: localStorage.getItem(FLAG_ORDERS_TUTORIAL_PENDING) === "true",
    };
  } catch {
    return { ...NOT_BEGUN, active: false };
  }
}

/** Saves how far the tutorial is. A completed tutorial leaves only its completion flag. */
export function saveTutorial({ active, progress, shopDone, ordersPending }: Tutorial): void {
  try {
    keep(FLAG_TUTORIAL_COMPLETED, active ? null : "true");
    if (active) localStorage.setItem(FLAG_LOGGED_IN_BEFORE, "true");
    else localStorage.removeItem(FLAG_NEW_USER);
    keep(FLAG_TUTORIAL_PROGRESS, Object.keys(progress).length > 0 ? JSON.stringify(progress) : null);
    keep(FLAG_SHOP_TUTORIAL_COMPLETED, shopDone ? "true" : null);
    keep(FLAG_ORDERS_TUTORIAL_PENDING, ordersPending ? "true" : null);
  } catch {
    // Storage is full or forbidden. The tour continues until the next page load.
  }
}

/** Whether the tour was restarted just before this page load. True once. */
export function takeRestart(): boolean {
  try {
    const restartedOn = sessionStorage.getItem(FLAG_TUTORIAL_RESTARTED);
    if (restartedOn === null || restartedOn === String(performance.timeOrigin)) return false;
    sessionStorage.removeItem(FLAG_TUTORIAL_RESTARTED);
    return true;
  } catch {
    return false;
  }
}

function keep(key: string, value: string | null): void {
  if (value === null) localStorage.removeItem(key);
  else localStorage.setItem(key, value);
}
