import { DrizzleQueryError } from "drizzle-orm/errors";
import { expect, test, vi } from "vitest";
import { log } from "#workers/log.ts";

function logged(event: Record<string, unknown>): string {
  const spy = vi.spyOn(console, "error").mockImplementation(() => {});
  log({ event: "test", level: "error", ...event });
  const [[line] = []] = spy.mock.calls;
  spy.mockRestore();
  return String(line);
}

test("the line of a failed query has the query and where it failed, and none of its values", () => {
  const typed = ["amina@mail.test", "line one\nparams: 0712345678\n    at home, in Hostel B"];
  const error = new DrizzleQueryError("select ? from t", typed, new Error("D1_ERROR: no such table"));
  const line = logged({
    error: String(error),
    stack: error.stack,
    cut: String(error).slice(0, 60),
    deep: [[error.message]],
  });
  expect(line).toContain("select ? from t");
  expect(line).toContain("log.test.ts");
  expect(line).not.toMatch(/amina|0712345678|Hostel|params/);
});

test("other texts stay as they are", () => {
  const texts = {
    error: "TypeError: x is undefined",
    stack: "TypeError: x\n    at f (a.js:1:2)",
    why: ["params: none"],
  };
  expect(JSON.parse(logged(texts))).toMatchObject(texts);
});
