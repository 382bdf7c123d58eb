import { realpathSync } from "node:fs";
import { findProgram, isExecutable } from "#scripts/programs.ts";

/** A snap can't read the profile that a test gives it. */
export const FIREFOX_ADVICE = "install Firefox (firefox-esr on Debian; Mozilla's own package on Ubuntu, not the snap)";

const MAC = "/Applications/Firefox.app/Contents/MacOS/firefox";

/** The system's Firefox; null where there is none, or only a snap. */
export function findFirefox(): string | null {
  const found = [findProgram("firefox-esr"), findProgram("firefox"), isExecutable(MAC) ? MAC : null];
  return found.find((path) => path !== null && !isSnap(path)) ?? null;
}

/** What starts a snap is `snap` itself or a script beside the other programs; a package has a folder of its own. */
function isSnap(path: string): boolean {
  return path !== MAC && !/\/firefox[\w-]*\/firefox/.test(realpathSync(path));
}
