/** The one question for notifications on this device. It comes after something that somebody may answer, and never again. */
import { FLAG_ASKED_FOR_PUSH } from "#app/ui/browser/browser-flags.ts";
import { toast } from "#app/ui/feedback/toast.ts";
import { pushAbility, readPushKey, turnOnPush } from "./push-client.ts";
import { ASK_TEXTS, PUSH_TEXTS } from "./push-texts.ts";

/** Long enough to decide, ms. Settings have the same button. */
const ASKED_MS = 20_000;

/** Asks, unless this browser has been asked before, can't show notifications, or shows them already. */
export async function askForPush(reason: keyof typeof ASK_TEXTS): Promise<void> {
  try {
    if (pushAbility() !== "ready" || Notification.permission !== "default") return;
    if (localStorage.getItem(FLAG_ASKED_FOR_PUSH) !== null || (await readPushKey()) === null) return;
    localStorage.setItem(FLAG_ASKED_FOR_PUSH, "true");
  } catch {
    // Without storage it would ask each time; without a connection it can ask later.
    return;
  }
  toast.info(ASK_TEXTS[reason], {
    duration: ASKED_MS,
    action: { label: "Turn on notifications", onPress: () => void turnOn() },
    refusal: "Not now",
  });
}

async function turnOn(): Promise<void> {
  switch (await turnOnPush()) {
    case "on":
      return toast.success(PUSH_TEXTS.on);
    case "blocked":
      return toast.warning(PUSH_TEXTS.blocked, { duration: 8000 });
    case "failed":
      return toast.error(PUSH_TEXTS.failed, { duration: 5000 });
    case "dismissed":
  }
}
