/**
 * Makes a browser of a test one that has nothing newer than our oldest browsers have (scripts/browsers.ts). Scripts can
 * take away everything but style rules and the popovers of HTML (tests/e2e/oldest-browsers.spec.ts).
 */
import type { BrowserContext } from "@playwright/test";
import { type Feature, listNewerFeatures } from "#tests/support/newer-features.ts";

/**
 * Phones have touches, and browsers on a desk lack them. The last three are what tests themselves ask a browser with: a
 * rules test finds what the app would use.
 */
const KEPT =
  /^(popover|(show|hide|toggle)Popover|Touch|TouchEvent|TouchList|checkVisibility|readText|requestIdleCallback)$/;
let newer: Feature[] | undefined;

export async function makeOldest(context: BrowserContext): Promise<void> {
  newer ??= listNewerFeatures().filter(({ owner, name }) => !KEPT.test(name) && !KEPT.test(owner));
  await context.addInitScript(removeFeatures, newer);
}

/** Makes a browser one that is older than ours, by what the pages ask it for. */
export async function makeTooOld(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => delete (globalThis as { CompressionStream?: unknown }).CompressionStream);
}

/** Runs in the page before its scripts. */
function removeFeatures(features: readonly Feature[]): void {
  type Owner = Record<string, unknown> | undefined;
  const everything = globalThis as unknown as Record<string, Owner>;
  for (const { owner, name, isStatic } of features) {
    const of = owner === "" ? everything : everything[owner];
    if (isStatic !== false || owner === "") delete of?.[name];
    if (isStatic !== true) delete (of?.prototype as Owner)?.[name];
  }
}
