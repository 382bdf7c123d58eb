/** The look at a screen finds what it is for: each fault is made by a rule of style, and found in both engines. */
import { signIn } from "#tests/support/browser.ts";
import { findLayoutFaults } from "#tests/support/layout-faults.ts";
import { expect, test } from "#tests/support/webkit.ts";

/** Runs in the page: adds a style sheet, and takes the one before it away. */
function restyle(rules: string): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(rules);
  document.adoptedStyleSheets = [sheet];
}

const PRICE_COVERED = /^“KES [\d,]+” (is under|stands on) /;
/** As cards once were: WebKit measured the photo against the whole card, and others against its row. */
const IN_WEBKIT_ALONE = ".photo-card > .photo { align-self: auto; height: calc(100% - 2px); margin-bottom: 0; }";

const FAULTS: Record<string, [rules: string, finds: RegExp]> = {
  "a photo over the price": [".photo-card > .photo { height: 15rem !important; }", PRICE_COVERED],
  "a bar over the end of the page": [".bottom-bar { height: 20rem !important; }", / is under nav\.bottom-bar/],
  "a text that leaves its box": [
    ".photo-card .chip, .button { width: 2rem !important; white-space: nowrap; }",
    / leaves its box /,
  ],
  "a text that is cut off": [
    "h1 { width: 4rem; overflow: hidden; white-space: nowrap; }",
    / is cut off at the side by h1/,
  ],
  "a line that is cut off": ["h1 { height: 0.75rem; overflow: hidden; }", / is cut off above or below by h1/],
  "two texts over each other": [".photo-card > .facts { margin-top: -1.5rem; }", / lie over each other/],
  "a page that scrolls sideways": ["main { width: 120vw; }", /^the page scrolls sideways by /],
  "a hint that is cut off": [
    "input { width: 4rem !important; flex: none !important; text-overflow: clip !important; }",
    / is cut off in its field/,
  ],
};

test.describe("what goes wrong in a page's scripts", () => {
  test.use({ tolerated: /by this test/ });

  test("is noticed in each page that the window shows", async ({ webkit }) => {
    for (const path of ["/auth", "/support"]) {
      await webkit.open(path);
      await webkit.evaluate(() => void setTimeout(() => document.querySelector("by this test!")));
      await webkit.evaluate(() => void setTimeout(() => Promise.reject(new Error("rejected by this test"))));
      await webkit.evaluate(() => console.error("said by this test"));
      const noticed = () => webkit.errors().then((errors) => errors.filter((text) => text.startsWith(`${path}: `)));
      await expect.poll(noticed).toHaveLength(3);
    }
  });
});

test("each fault of a layout is found", async ({ page, webkit }) => {
  await signIn(page, "buyer@campus.test");
  await webkit.become(page);
  await webkit.open("/studentmarketplace");
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/studentmarketplace");
  expect.soft(await webkit.evaluate(findLayoutFaults)).toEqual([]);
  expect.soft(await page.evaluate(findLayoutFaults)).toEqual([]);
  await webkit.evaluate(restyle, IN_WEBKIT_ALONE);
  expect.soft(await webkit.evaluate(findLayoutFaults)).toContainEqual(expect.stringMatching(PRICE_COVERED));
  for (const [fault, [rules, finds]] of Object.entries(FAULTS)) {
    await webkit.evaluate(restyle, rules);
    await page.evaluate(restyle, rules);
    const found = [await webkit.evaluate(findLayoutFaults), await page.evaluate(findLayoutFaults)];
    for (const each of found) expect.soft(each, fault).toContainEqual(expect.stringMatching(finds));
  }
});
