/**
 * The look at a screen finds what it is for: each fault is made by a rule of style, and found in WebKit and in
 * Chromium.
 */
import { signIn } from "#tests/support/browser.ts";
import { findLayoutFaults } from "#tests/support/layout-faults.ts";
import { FAULTS, IN_WEBKIT_ALONE, PRICE_COVERED, restyle } from "#tests/support/made-faults.ts";
import { PHONE } from "#tests/support/sizes.ts";
import { expect, test } from "#tests/support/webkit.ts";

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
  await page.setViewportSize(PHONE);
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
