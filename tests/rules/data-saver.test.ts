import { expect, test } from "vitest";
import { dataSaverCookie, readDataSaver } from "#app/ui/browser/data-saver.ts";

test.each([
  ["nothing", null, null, false],
  ["the browser asks", null, "on", true],
  ["the browser asks, in another spelling", null, " On;level=2", true],
  ["the browser says something else", null, "only", false],
  ["chosen", "theme=dark; data_saver=on", null, true],
  ["chosen against the browser", "data_saver=off; theme=dark", "on", false],
  ["a cookie that only ends in the name", "no_data_saver=on", null, false],
  ["a cookie with another value", "data_saver=yes", "on", true],
])("%s", (_, cookie, saveData, expected) => {
  expect(readDataSaver(cookie, saveData)).toBe(expected);
});

test("a stored choice is read again, for a year and on every page", () => {
  for (const isOn of [true, false]) {
    const stored = dataSaverCookie(isOn, "https://chuoni.example/settings");
    expect(readDataSaver(stored.split(";")[0] ?? "", "on")).toBe(isOn);
    expect(stored).toContain("; Path=/; Max-Age=31536000;");
    expect(stored).toContain("; Secure");
  }
  expect(dataSaverCookie(true, "http://localhost:8787/settings")).not.toContain("Secure");
});
