import { expect, test } from "vitest";
import { requestsOfLine } from "#workers/log.ts";

const ordinary = { method: "GET", path: "/home", status: 200, ms: 30, rowsWritten: 0, kvWrites: 0 };

test("every write, failure and slow request has its line", () => {
  const changes = [
    { method: "POST" },
    { method: "DELETE" },
    { status: 404 },
    { status: 500 },
    { ms: 1_001 },
    // A login with Google is a GET request.
    { rowsWritten: 1 },
    { kvWrites: 1 },
    { path: "/assets/shell-1.js", status: 404 },
  ];
  for (const change of changes)
    for (const chance of [0, 0.5, 0.999]) expect(requestsOfLine({ ...ordinary, ...change }, chance)).toBe(1);
});

test("the lines of other requests stand for as many requests as there were", () => {
  const chances = Array.from({ length: 1_000 }, (_, n) => n / 1_000);
  for (const status of [200, 304, 302])
    for (const method of ["GET", "HEAD"]) {
      const lines = chances.map((chance) => requestsOfLine({ ...ordinary, method, status }, chance));
      expect(lines.reduce((sum, requests) => sum + requests, 0)).toBe(1_000);
      expect(lines.filter((requests) => requests > 0)).toHaveLength(50);
    }
});

test("a file of the build has no line", () => {
  expect(requestsOfLine({ ...ordinary, path: "/assets/shell-1.js" }, 0)).toBe(0);
});
