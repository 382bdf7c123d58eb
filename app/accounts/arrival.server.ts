import { redirect } from "react-router";
import type { Flash } from "#app/flash.server.ts";
import { PROFILE_TEXTS, PROFILE_TOAST_MS } from "./sign-up-rules.ts";

interface Arriving {
  profileComplete: boolean;
}

/**
 * Where somebody goes who came in by a link or through another site (accounts spec §4, auth callback): home where the profile
 * is complete, else to complete it, with the toast and the browser's flags. `headers` are sent along, such as the session's.
 */
export async function welcomeIn(services: { flash: Flash }, { profileComplete }: Arriving, headers = new Headers()): Promise<Response> {
  const flash = profileComplete
    ? ({ kind: "success", text: PROFILE_TEXTS.welcome_back, duration: PROFILE_TOAST_MS.welcome_back, arrival: "complete" } as const)
    : ({ kind: "info", text: PROFILE_TEXTS.prompt, duration: PROFILE_TOAST_MS.prompt, arrival: "incomplete" } as const);
  headers.append("Set-Cookie", await services.flash.write(flash));
  return redirect(profileComplete ? "/home" : `/complete-profile?${MISSING_PHONE_TOO}`, { headers });
}

/** In the address of the profile screen: stay, although only the phone is missing. */
export const MISSING_PHONE_TOO = "from=callback";
