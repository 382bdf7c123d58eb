import type { ASK_TEXTS } from "./push-texts.ts";

// A function of its own: Vite takes a `then` that follows an import into its loader, which then fails past our handler.
const loadQuestion = () => import("./ask-for-push.ts");

/** Asks for notifications on this device, once. The script of the question comes when it is needed. */
export function askForPush(reason: keyof typeof ASK_TEXTS): void {
  loadQuestion().then(
    ({ askForPush: ask }) => void ask(reason),
    // Without a connection nobody is asked.
    () => {},
  );
}
