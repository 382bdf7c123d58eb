/**
 * The screens at which somebody looks (tests/support/screens.ts), as those see them who use them, full, empty and
 * failing: axe finds nothing in the light, and its rules for colors nothing in the dark; each text can be read where
 * it stands, also what unfolds; Tab stops at most twice at a card; it isn't wider than the narrowest phone, or than any
 * screen with letters of twice the size; a thumb hits what it aims at; it has the few sizes of type and kinds of button
 * that all screens share; its forms are taken without another screen; and what was typed stays.
 */
import type { Page } from "@playwright/test";
import { atPhoneSize, expect, expectAccessible, expectReadableColours, test } from "#tests/support/browser.ts";
import { findFaultsOfFailing } from "#tests/support/failing-screens.ts";
import { findFormsOfOtherScreens } from "#tests/support/form-targets.ts";
import { findLayoutFaults, unfoldAll } from "#tests/support/layout-faults.ts";
import { readLooks } from "#tests/support/looks.ts";
import { divideWays } from "#tests/support/screen-walk.ts";
import { addressOf, PRODUCT, signInAs } from "#tests/support/screens.ts";
import { PHONE, type Size } from "#tests/support/sizes.ts";
import { findSmallTargets } from "#tests/support/tap-targets.ts";

// Each screen is loaded once, at the larger size, and then shrinks.
test.describe.configure({ mode: "parallel", timeout: 240_000 });
test.use({ tolerated: /status of (400|404|503)/ });

const NARROWEST = { width: 320, height: 568 };
const TABLET = { width: 768, height: 1024 };
/** A desktop's screen at 400 %. */
const ZOOMED = { width: 320, height: 256 };
const ON_ITS_SIDE = { width: 844, height: 390 };

/** Runs in the page: whether it scrolls sideways, or a button of its bar is cut off. */
function isTooWide(): boolean {
  const buttons = [...document.querySelectorAll(".sticky-bar button")];
  return (
    document.documentElement.scrollWidth > innerWidth ||
    buttons.some((button) => button.getBoundingClientRect().right > innerWidth)
  );
}

/** Runs in the page: the photos that are too low or too narrow to be seen. */
function findSlivers(): string[] {
  return [...document.querySelectorAll(".photo")].flatMap((photo) => {
    const { width, height } = photo.getBoundingClientRect();
    const isSliver = photo.checkVisibility() && Math.min(width, height) < 24;
    return isSliver
      ? [`a photo of ${Math.round(width)} × ${Math.round(height)} px: ${photo.parentElement?.outerHTML.slice(0, 200)}`]
      : [];
  });
}

/** Runs in the page: the fields with letters below 16 px, into which iPhones zoom. */
function findSmallFields(): string[] {
  const FIELDS = "input:not([type=checkbox], [type=radio], [type=range], [type=file]), select, textarea";
  return [...document.querySelectorAll(FIELDS)].flatMap((field) => {
    const size = Number.parseFloat(getComputedStyle(field).fontSize);
    return field.checkVisibility() && size < 16 ? [`letters of ${size} px in ${field.outerHTML.slice(0, 200)}`] : [];
  });
}

/** Runs in the page: the cards at which Tab stops more than twice, or three times where there is a number of pieces. */
function findManyStops(): string[] {
  const STOPS = "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex]";
  return [...document.querySelectorAll("main :is(.photo-card, .shop-card)")].flatMap((card) => {
    const stops = [...card.querySelectorAll<HTMLElement>(STOPS)].filter(
      (element) =>
        element.tabIndex >= 0 && !element.matches(":disabled") && element.checkVisibility({ visibilityProperty: true }),
    );
    const most = card.querySelector(".stock-stepper, .stock-stepper__none") ? 3 : 2;
    return stops.length > most ? [`${stops.length} stops at the card ${card.textContent.slice(0, 60)}`] : [];
  });
}

/** Runs in the page: how many px of its height are under bars that stay in sight while people scroll. */
function heightOfBars(): number {
  scrollTo(0, 300);
  const bars = [...document.querySelectorAll(".top-bar, .bottom-bar, .sticky-bar, .top-bar__search")].filter(
    (bar) => bar.checkVisibility() && ["fixed", "sticky"].includes(getComputedStyle(bar).position),
  );
  scrollTo(0, 0);
  return bars.reduce((height, bar) => height + bar.getBoundingClientRect().height, 0);
}

/** Runs in the page: the sums of money that stand on two lines. */
function findBrokenSums(): string[] {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found: string[] = [];
  while (texts.nextNode()) {
    const text = texts.currentNode as Text;
    if (!text.parentElement?.checkVisibility({ visibilityProperty: true })) continue;
    for (const { 0: sum, index } of text.data.matchAll(/−?KES [\d,.]*\d/g)) {
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + sum.length);
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
      if (lines.size > 1) found.push(`${sum} on ${lines.size} lines`);
    }
  }
  return found;
}

/** Runs in the page: gives letters a share of their usual size, as somebody's browser may. */
function scaleLetters(share: string): void {
  document.documentElement.style.fontSize = share;
}

/** Runs in the page: the size in px of each of its texts. */
function textSizes(): number[] {
  return [...document.querySelectorAll("body *:not(script, style, svg *)")]
    .filter((element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim()))
    .map((element) => Number.parseFloat(getComputedStyle(element).fontSize));
}

/**
 * Runs in the page: gives letters twice their size as Chrome on Android does, which leaves every length in rem as it
 * was.
 */
function scaleLettersAsAndroid(): void {
  document.querySelector<HTMLElement>(".document")?.style.setProperty("text-size-adjust", "200%");
}

/** Where letters that Android makes twice as large scroll the page sideways. Leaves the page at a tablet's size. */
async function findWideLetters(page: Page): Promise<string[]> {
  const browser = await page.context().newCDPSession(page);
  const show = (size: Size) =>
    browser.send("Emulation.setDeviceMetricsOverride", { ...size, deviceScaleFactor: 1, mobile: true });
  await show(PHONE);
  const usual = await page.evaluate(textSizes);
  await page.evaluate(scaleLettersAsAndroid);
  // Otherwise the device's size would change nothing.
  expect(Math.max(...(await page.evaluate(textSizes)))).toBeGreaterThan(Math.max(...usual));
  const found: string[] = [];
  for (const size of [PHONE, TABLET]) {
    await show(size);
    const wider = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    if (wider > 0) found.push(`with Android's large letters is wider than ${size.width} px by ${wider} px`);
  }
  await browser.detach();
  return found;
}

/** Four sizes, and one for words that make a picture, in two weights. */
const TYPE = new Set([14, 16, 20, 28, 48].flatMap((size) => [`${size}/400`, `${size}/600`]));
/** Solid, soft and ghost, and one of them small. */
const BUTTONS_MAX = 4;

/** What a screen has beyond the type, the kinds of button and the one main button that it may have. */
async function findOddLooks(page: Page): Promise<string[]> {
  const { type, buttons, main } = await page.evaluate(readLooks);
  return [
    ...type.filter((pair) => !TYPE.has(pair)).map((pair) => `type of ${pair}`),
    ...(main.length > 1 ? [`several main buttons: ${main.join(", ")}`] : []),
    ...(buttons.length > BUTTONS_MAX ? [`many kinds of button: ${buttons.join("; ")}`] : []),
  ];
}

/**
 * What is wrong with the page on the screen. Colours hardly depend on the size, so one theme is checked at each, and
 * names and roles at one. What is there on a phone alone, its bars, tests/e2e/layers.spec.ts looks at in both themes.
 */
async function findFaults(page: Page): Promise<string[]> {
  const found: string[] = [];
  const inspect = (size: string, inspected: Promise<void>) =>
    inspected.catch((error: unknown) => found.push(`${size}: ${String(error).slice(0, 1_500)}`));
  const expectToFit = async (size: string) =>
    (await page.evaluate(isTooWide)) && found.push(`is wider than the screen, ${size}`);
  const expectLargeLettersToFit = async (size: string) => {
    await page.evaluate(scaleLetters, "200%");
    await expectToFit(`${size} with large letters`);
    await page.evaluate(scaleLetters, "100%");
  };
  const expectReadable = async (size: string) =>
    found.push(...(await page.evaluate(findLayoutFaults)).map((fault) => `${size}: ${fault}`));
  found.push(...(await findOddLooks(page)), ...(await page.evaluate(findSlivers)));
  found.push(...(await page.evaluate(findManyStops)));
  await expectReadable("desktop");
  let isUnfolded = false;
  await atPhoneSize(page, async () => {
    await expectReadable("phone");
    isUnfolded = await page.evaluate(unfoldAll);
    if (isUnfolded) await expectReadable("phone, unfolded");
    await expectLargeLettersToFit("phone");
    found.push(...(await page.evaluate(findSmallTargets)), ...(await page.evaluate(findSlivers)));
    found.push(...(await page.evaluate(findSmallFields)));
    await inspect("phone", expectReadableColours(page, "dark"));
    await page.setViewportSize(ON_ITS_SIDE);
    await expectToFit("phone on its side");
    await page.setViewportSize(ZOOMED);
    await expectToFit("zoomed in");
    const bars = await page.evaluate(heightOfBars);
    if (bars > ZOOMED.height / 4) found.push(`zoomed in, bars cover ${bars} px`);
    await page.setViewportSize(NARROWEST);
    await expectToFit("narrowest phone");
    found.push(...(await page.evaluate(findBrokenSums)));
    await page.setViewportSize(TABLET);
    await expectLargeLettersToFit("tablet");
    found.push(...(await findWideLetters(page)));
  });
  if (isUnfolded) await expectReadable("desktop, unfolded");
  await inspect("desktop", expectAccessible(page, ["light"]));
  await expectLargeLettersToFit("desktop");
  return found;
}

/** Runs in the page: whether it isn't one of the pages without scripts. */
function hasScripts(): boolean {
  return "__reactRouterContext" in window;
}

/** The screen that fails after the last one of a walk. */
const FALLBACK = "/receipts";

// Several walks go on at once.
for (const { person, from, ways } of divideWays(12))
  test(`the screens of: ${person}, from ${from}`, { tag: "@desktop" }, async ({ page }) => {
    await signInAs(page, person);
    const found: string[] = [];
    const paths: string[] = [];
    for (const way of ways) paths.push(await addressOf(page, way));
    for (const [at, path] of paths.entries()) {
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1 }).first()).toBeVisible();
      await expect(page.getByRole("progressbar", { name: "Loading", exact: true })).toHaveCount(0);
      const faults = await findFaults(page);
      if (await page.evaluate(hasScripts))
        faults.push(
          ...(await findFormsOfOtherScreens(page)),
          ...(await findFaultsOfFailing(
            page,
            person === "visitor" || person === "incomplete" ? null : (paths[at + 1] ?? FALLBACK),
          )),
        );
      found.push(...faults.map((fault) => `${path} ${fault}`));
    }
    expect(found).toEqual([]);
  });

/** Pages that say much: who has them, the list that leads to them, and how long the longest may be, in px. */
const LONG = [
  { person: "buyer", list: "/profile?tab=orders", page: "/orders/", max: 1_500 },
  { person: "seller", list: "/myshop?tab=orders", page: "/seller/orders/", max: 1_500 },
] as const;

for (const { person, list, page: below, max } of LONG)
  test(`on a phone no page below ${below} is longer than ${max} px`, { tag: "@phone" }, async ({ page }) => {
    await signInAs(page, person);
    await page.setViewportSize(PHONE);
    await page.goto(list);
    const links = page.locator(`main a[href^="${below}"]`);
    await expect(links.first()).toBeAttached();
    const paths = await links.evaluateAll((all) => [...new Set(all.map((link) => link.getAttribute("href") ?? ""))]);
    const found: string[] = [];
    for (const path of paths.slice(0, 12)) {
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      const height = await page.evaluate(() => document.documentElement.scrollHeight);
      if (height > max) found.push(`${path}: ${height} px`);
    }
    expect(found).toEqual([]);
  });

test("letters that somebody has made twice as large are so everywhere", { tag: "@desktop" }, async ({ page }) => {
  await signInAs(page, "buyer");
  for (const way of ["/studentmarketplace", PRODUCT, "/cart"]) {
    await page.goto(await addressOf(page, way));
    const usual = await page.evaluate(textSizes);
    await page.evaluate(scaleLetters, "200%");
    expect(usual.length).toBeGreaterThan(20);
    expect(await page.evaluate(textSizes)).toEqual(usual.map((size) => 2 * size));
  }
});

test("the components of a screen are accessible in every state", { tag: "@desktop" }, async ({ page }) => {
  await page.goto("/sandbox/components");
  await expectAccessible(page);
  await atPhoneSize(page, async () => {
    await expectAccessible(page);
    expect(await page.evaluate(isTooWide)).toBe(false);
  });
});
