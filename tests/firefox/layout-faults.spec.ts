/** The look at a screen finds what it is for in Firefox, too. */
import { signIn } from "#tests/support/browser.ts";
import { expect, test } from "#tests/support/firefox.ts";
import { findLayoutFaults } from "#tests/support/layout-faults.ts";
import { FAULTS, restyle } from "#tests/support/made-faults.ts";

test("each fault of a layout is found", async ({ page, firefox }) => {
  await signIn(page, "buyer@campus.test");
  await firefox.become(page);
  await firefox.open("/studentmarketplace");
  expect.soft(await firefox.evaluate(findLayoutFaults)).toEqual([]);
  for (const [fault, [rules, finds]] of Object.entries(FAULTS)) {
    await firefox.evaluate(restyle, rules);
    const found = await firefox.evaluate(findLayoutFaults);
    expect.soft(found, fault).toContainEqual(expect.stringMatching(finds));
  }
});

test.describe("what goes wrong in a page's scripts", () => {
  test.use({ tolerated: /by this test/ });

  test("is noticed", async ({ firefox }) => {
    await firefox.open("/auth");
    await firefox.evaluate(() => void setTimeout(() => Promise.reject(new Error("rejected by this test"))));
    await firefox.evaluate(() => console.error("said by this test"));
    const noticed = () => firefox.errors.filter((text) => /by this test/.test(text));
    await expect.poll(noticed).toHaveLength(2);
  });
});
