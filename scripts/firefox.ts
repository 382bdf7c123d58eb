import { findProgram, isExecutable } from "#scripts/programs.ts";

/** The package of Debian; elsewhere it is called firefox. */
export const FIREFOX_PACKAGE = "firefox-esr";

const MAC = "/Applications/Firefox.app/Contents/MacOS/firefox";

/** The system's Firefox; null where there is none. */
export function findFirefox(): string | null {
  return findProgram("firefox-esr") ?? findProgram("firefox") ?? (isExecutable(MAC) ? MAC : null);
}
