import { expect, test } from "vitest";
import { readThemeCookie, themeScript } from "#app/ui/page/theme.ts";

test("the stored theme is read out of any place in the cookie header", () => {
  expect(readThemeCookie("theme=dark")).toBe("dark");
  expect(readThemeCookie("__session=abc; theme=light; x=1")).toBe("light");
  expect(readThemeCookie("x=1;theme=dark")).toBe("dark");
});

test("no cookie, another cookie or an unknown value follows the system", () => {
  for (const header of [null, "", "mytheme=dark", "theme=", "theme=darker", "theme=blue; a=light"]) {
    expect(readThemeCookie(header)).toBeNull();
  }
});

test("its script has no syntax that browsers of plain pages don't know", () => {
  expect(themeScript).toContain("data-theme-toggle");
  expect(themeScript).not.toMatch(/\?\.|\?\?/);
});
