/** To where the forms of a screen lead. */
import type { Page } from "@playwright/test";
import { matchPath } from "react-router";
import { SCREENS } from "#app/screen-rules.ts";

/** The service worker keeps its module, as those of routes without a screen (workers/installation/release.ts). */
const KEPT = ["/logout"];

function screenOf(path: string): string | undefined {
  const found = Object.keys(SCREENS).find((pattern) => matchPath(pattern, path));
  return found !== undefined && SCREENS[found]?.part === undefined ? found : undefined;
}

/** Runs in the page. */
function readTargets(): string[] {
  return [...document.querySelectorAll<HTMLFormElement>("form[method=post]")].flatMap((form) => [
    new URL(form.getAttribute("action") ?? "", location.href).pathname,
    ...[...form.querySelectorAll("[formaction]")].map(
      (button) => new URL(button.getAttribute("formaction") ?? "", location.href).pathname,
    ),
  ]);
}

/**
 * The other screens that take forms of this one. Where the connection is lost at the press, the router can't fetch the
 * other screen's module, and reloads the page. Scripts send such a form to a route without a screen (send-path.ts).
 */
export async function findFormsOfOtherScreens(page: Page): Promise<string[]> {
  const here = screenOf(new URL(page.url()).pathname);
  const targets = new Set(await page.evaluate(readTargets));
  return [...targets]
    .filter((path) => !KEPT.includes(path) && screenOf(path) !== undefined && screenOf(path) !== here)
    .map((path) => `has a form of ${path}`);
}
