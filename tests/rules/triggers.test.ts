/**
 * What follows from a change is written by the use case (docs/architecture.md). In the database, triggers only refuse.
 */
import { expect, test } from "vitest";
import { makeDatabase, readMigrations } from "#scripts/migrations.ts";

const objects = (type: "trigger" | "view") =>
  makeDatabase(readMigrations())
    .prepare("SELECT name, sql FROM sqlite_master WHERE type = ? ORDER BY name")
    .all(type) as { name: string; sql: string }[];

/** The statements of a trigger. */
function bodyOf(sql: string): string {
  return /\bBEGIN\b(.*)\bEND$/s.exec(sql)?.[1]?.replaceAll(/--.*$/gm, "").trim() ?? sql;
}

const refuses = /^SELECT RAISE\(ABORT, '[^']+'\);$/;

test("a trigger does nothing but refuse", () => {
  const triggers = objects("trigger");
  expect(triggers.length).toBeGreaterThan(5);
  expect(triggers.filter(({ sql }) => !refuses.test(bodyOf(sql))).map(({ name }) => name)).toEqual([]);
  for (const body of ["UPDATE a SET b = 1;", "SELECT RAISE(ABORT, 'no'); DELETE FROM a;", "SELECT f(1);"])
    expect(refuses.test(bodyOf(`CREATE TRIGGER t AFTER INSERT ON a BEGIN\n  ${body}\nEND`))).toBe(false);
});

test("the only view is the guard of batches", () => {
  expect(objects("view")).toEqual([
    { name: "assert_changed", sql: "CREATE VIEW assert_changed(ok, tag) AS SELECT 0, ''" },
  ]);
});
