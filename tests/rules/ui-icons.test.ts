import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { iconNames } from "#app/ui/pictures/icon-names.ts";

test("the sprite draws our sign and exactly the icons that are listed", () => {
  const drawn = [...readFileSync("app/ui/pictures/icons.svg", "utf8").matchAll(/<symbol id="([^"]+)"/g)].map(
    (match) => match[1],
  );
  expect(drawn).toEqual(["sign", ...iconNames]);
});
