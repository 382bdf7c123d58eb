import { redirect } from "react-router";
import type { Flash } from "#app/platform/flash.server.ts";
import { PROFILE_TEXTS, PROFILE_TOAST_MS } from "./sign-up-rules.ts";

/**
 * Where somebody goes who came in by a link or through another site (accounts spec §4, auth callback): where the profile is
 * complete to `to`, else home, with `greeting`; else to complete it. Toast and browser flags go along, and so do `headers`, such
 * as the session's.
 */
export async function welcomeIn(
  services: { flash: Flash },
  { profileComplete }: { profileComplete: boolean },
  headers = new Headers(),
  to: string | null = null,
  greeting: string = PROFILE_TEXTS.welcome_back,
): Promise<Response> {
  const flash = profileComplete
    ? ({ kind: "success", text: greeting, duration: PROFILE_TOAST_MS.welcome_back, arrival: "complete" } as const)
    : ({ kind: "info", text: PROFILE_TEXTS.prompt, duration: PROFILE_TOAST_MS.prompt, arrival: "incomplete" } as const);
  headers.append("Set-Cookie", await services.flash.write(flash));
  return redirect(profileComplete ? (to ?? "/home") : "/complete-profile?from=callback", { headers });
}

/**
 * Whether the profile screen leads home at once (accounts spec §4): where name and campus are there. Who was sent there by the
 * callback, for want of a phone alone, may stay and add it.
 */
export function skipsProfileScreen(url: URL, profile: { hasNameAndCampus: boolean; hasPhone: boolean }): boolean {
  return profile.hasNameAndCampus && (profile.hasPhone || url.searchParams.get("from") !== "callback");
}
