/**
 * The screens at which somebody looks (tests/support/screens.ts), in WebKit: each text can be read where it stands,
 * also what unfolds, and nothing scrolls sideways.
 */
import { divideWays, findFaultsOfWalk } from "#tests/support/screen-walk.ts";
import { expect, test } from "#tests/support/webkit.ts";

test.describe.configure({ mode: "parallel" });

for (const walk of divideWays(20))
  test(`the screens of: ${walk.person}, from ${walk.from}`, async ({ page, webkit }) => {
    expect(await findFaultsOfWalk(page, webkit, walk)).toEqual([]);
  });
