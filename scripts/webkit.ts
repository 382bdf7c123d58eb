import { globSync } from "node:fs";
import { findProgram } from "#scripts/programs.ts";

export const WEBKIT_ADVICE = "install webkit2gtk-driver and xvfb (Debian, Ubuntu)";

interface WebKitPrograms {
  /** Speaks WebDriver. */
  driver: string;
  /** The smallest browser that has the engine. */
  browser: string;
  /** A screen in memory. */
  screen: string;
}

/**
 * WebKit, the engine of Safari and of each browser on an iPhone, with what drives it; null where something is missing.
 */
export function findWebKit(): WebKitPrograms | null {
  const driver = findProgram("WebKitWebDriver");
  const screen = findProgram("Xvfb");
  const [browser] = globSync("/usr/lib/*/webkit2gtk-4.*/MiniBrowser").toSorted().toReversed();
  return driver && browser && screen ? { driver, browser, screen } : null;
}
