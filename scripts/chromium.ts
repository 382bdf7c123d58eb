import { existsSync } from "node:fs";
import { chromium } from "@playwright/test";
import { runCommand, CommandError } from "#scripts/command.ts";
import { findProgram, isExecutable } from "#scripts/programs.ts";

/** It has no window system, which saves a fifth of the time, and no notifications. */
const SHELL = "chromium-headless-shell";
const NAMES = [SHELL, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const MAC = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/**
 * The browser for tests: `CHROMIUM_PATH`, else a Chromium or Chrome of the system, else Playwright's; null when there
 * is none. `whole`: one that shows notifications.
 */
export function findChromium({ whole = false } = {}): string | null {
  const named = process.env.CHROMIUM_PATH;
  if (named && !(whole && named.endsWith(SHELL))) return named;
  const names = whole ? NAMES.filter((name) => name !== SHELL) : NAMES;
  const found = names.map(findProgram).find((path) => path !== null) ?? MAC.find(isExecutable);
  return found ?? (existsSync(chromium.executablePath()) ? chromium.executablePath() : null);
}

/**
 * Finds a Chromium or installs one: Debian's package if possible, else Playwright's download. Where Debian's can be
 * installed, the headless shell is, also beside a Chromium: all tests but those of notifications take it.
 * @throws CommandError that says how to install one by hand
 */
export async function ensureChromium(): Promise<string> {
  const found = findChromium();
  if (found && (found.endsWith(SHELL) || process.env.CHROMIUM_PATH)) return found;
  const shell = await installWithApt(SHELL);
  const beside = findChromium();
  if (beside) return beside;
  const tried = [
    shell,
    await installWithApt("chromium"),
    await runCommand("playwright", ["install", ...(isRoot() ? ["--with-deps"] : []), "chromium"]),
  ];
  const installed = findChromium();
  if (installed) return installed;
  const reasons = tried.map((attempt) => attempt?.output.trim().split("\n").slice(-3).join("\n")).filter(Boolean);
  throw new CommandError(
    `${reasons.join("\n")}\nNo Chromium was found and none could be installed. Install Chromium or Chrome, or set CHROMIUM_PATH to its program.`,
  );
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** Without a network it gives up soon. */
const APT = ["-q", "-o", "Acquire::Retries=0", "-o", "Acquire::http::Timeout=10"];

async function installWithApt(name: string) {
  if (!isRoot() || !existsSync("/usr/bin/apt-get")) return null;
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  const update = await runCommand("apt-get", ["update", ...APT], { env });
  if (!update.ok) return update;
  const packages = ["--no-install-recommends", "--no-remove", name, "fonts-liberation"];
  return runCommand("apt-get", ["install", "-y", ...APT, ...packages], { env });
}
