import { type Flash, type FlashMessage, redirectWithFlash } from "#app/platform/flash.server.ts";
import { withReturnPath } from "./account-rules.ts";
import { PROFILE_TEXTS, PROFILE_TOAST_MS } from "./sign-up-rules.ts";

type Greeting = Pick<FlashMessage, "text" | "duration">;

/**
 * Redirects a user who has just logged in. With a complete profile they go to `to`, or to the home page, with
 * `greeting`; otherwise they complete the profile first. `headers` (such as the session's) are sent along. For a user
 * with a `to` the tour waits until they open the home page.
 */
export function redirectAfterSignIn(
  services: { flash: Flash },
  { profileComplete }: { profileComplete: boolean },
  headers = new Headers(),
  to: string | null = null,
  greeting: Greeting = { text: PROFILE_TEXTS.welcome_back, duration: PROFILE_TOAST_MS.welcome_back },
): Promise<Response> {
  const flash = profileComplete
    ? ({ kind: "success", ...greeting } as const)
    : ({ kind: "info", text: PROFILE_TEXTS.prompt, duration: PROFILE_TOAST_MS.prompt } as const);
  const arrival = profileComplete ? "complete" : "incomplete";
  const path = profileComplete ? (to ?? "/home") : withReturnPath("/complete-profile", to);
  return redirectWithFlash(services, path, { ...flash, arrival, tourWaits: to !== null }, headers);
}
