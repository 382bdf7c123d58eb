/**
 * The screens at which somebody looks (tests/support/screens.ts), in Firefox: each text can be read where it stands,
 * also what unfolds, nothing scrolls sideways, and no script fails.
 */
import { expect, test } from "#tests/support/firefox.ts";
import { divideWays, findFaultsOfWalk } from "#tests/support/screen-walk.ts";

test.describe.configure({ mode: "parallel" });

for (const walk of divideWays(50))
  test(`the screens of: ${walk.person}, from ${walk.from}`, async ({ page, firefox }) => {
    expect(await findFaultsOfWalk(page, firefox, walk)).toEqual([]);
  });
