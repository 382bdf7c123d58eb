/**
 * Every screen of the route table in WebKit: each text can be read where it stands, also what unfolds, and nothing
 * scrolls sideways.
 */
import { findLayoutFaults, unfoldAll } from "#tests/support/layout-faults.ts";
import { addressOf, PEOPLE, type Person, signInAs, waysOf } from "#tests/support/screens.ts";
import { expect, test } from "#tests/support/webkit.ts";

test.describe.configure({ mode: "parallel" });

/** A walk takes as many addresses: starting the browser costs as much as one or two of them. */
const WALK = 20;

for (const person of Object.keys(PEOPLE) as Person[]) {
  const ways = waysOf(person);
  for (let from = 0; from < ways.length; from += WALK)
    test(`the screens of: ${person}, from ${from + 1}`, async ({ page, webkit }) => {
      await signInAs(page, person);
      await webkit.become(page);
      const found: string[] = [];
      for (const way of ways.slice(from, from + WALK)) {
        const path = await addressOf(page, way);
        await webkit.open(path);
        await webkit.find("heading", "");
        const look = async (size: string) =>
          found.push(...(await webkit.evaluate(findLayoutFaults)).map((fault) => `${path} on a ${size}: ${fault}`));
        await look("phone");
        if (await webkit.evaluate(unfoldAll)) await look("phone, unfolded");
        await webkit.atDesktopSize(() => look("desktop, unfolded"));
      }
      expect(found).toEqual([]);
    });
}
