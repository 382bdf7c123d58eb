import { findProgram, isExecutable } from "#scripts/programs.ts";

/** A snap can't read the profile that a test gives it. */
export const FIREFOX_ADVICE = "install Firefox (firefox-esr on Debian; Mozilla's own package on Ubuntu, not the snap)";

const MAC = "/Applications/Firefox.app/Contents/MacOS/firefox";

/** The system's Firefox; null where there is none. */
export function findFirefox(): string | null {
  return findProgram("firefox-esr") ?? findProgram("firefox") ?? (isExecutable(MAC) ? MAC : null);
}
