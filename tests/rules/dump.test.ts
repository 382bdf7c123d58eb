/** What a copy of the database has. (`npm test` restores one before the browser tests that move the clock.) */
import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getTableName, is } from "drizzle-orm";
import { SQLiteTable } from "drizzle-orm/sqlite-core";
import { expect, test } from "vitest";
import * as schema from "#app/db/schema.ts";
import { lastLine, PIECE_BYTES, restoreDatabase, tablesToCopy, writeWhole } from "#scripts/dump.ts";
import type { Text } from "#scripts/migrations.ts";

const empty = { query: async () => [], run: () => Promise.reject(new Error("Nothing may be written")) };

test("every table is copied but those of the moment, and no part of the search index", () => {
  const tables = Object.values(schema).flatMap((value) => (is(value, SQLiteTable) ? [getTableName(value)] : []));
  const left = ["leases", "rate_counters", "type_passes", "write_marks"];
  expect(tablesToCopy().toSorted()).toEqual(tables.filter((name) => !left.includes(name)).toSorted());
});

test("a copy that was cut off, or that another version made, is refused before anything is written", async () => {
  const file = join(mkdtempSync(join(tmpdir(), "copy-")), "copy.sql");
  for (const text of [
    "",
    "INSERT INTO a VALUES (1);\n",
    "-- The rows of a database whose migrations are 0099_later.sql 0\n",
  ]) {
    writeFileSync(file, text);
    await expect(restoreDatabase(file, empty)).rejects.toThrow(/isn't whole, or another version/);
  }
});

test("a copy may be longer than a string can be, so it is read in pieces", async () => {
  const file = join(mkdtempSync(join(tmpdir(), "copy-")), "copy.sql");
  const rows = `-- ${"é".repeat(PIECE_BYTES)}\n${lastLine()}\n`; // cut within a letter
  writeFileSync(file, rows);
  const pieces: Buffer[] = [];
  const run = async (_name: string, text: Text) => {
    for (const piece of typeof text === "string" ? [text] : text) pieces.push(Buffer.from(piece));
    throw new Error("Enough");
  };
  await expect(restoreDatabase(file, { ...empty, run })).rejects.toThrow("Enough");
  expect(pieces.every(({ length }) => length <= PIECE_BYTES)).toBe(true);
  const [before = "", after = ""] = Buffer.concat(pieces).toString().split(rows);
  expect(before).toContain("CREATE TABLE");
  expect(after).toContain("CREATE TRIGGER");
});

test("a database that has something is left alone", async () => {
  const full = { ...empty, query: async () => [{ name: "credentials" }] };
  await expect(restoreDatabase("no-such-file", full)).rejects.toThrow("isn't empty");
});

test("a copy that fails leaves the last one, and one that works replaces it for its owner's eyes alone", async () => {
  const folder = mkdtempSync(join(tmpdir(), "copy-"));
  const file = join(folder, "copy.sql");
  writeFileSync(file, "yesterday", { mode: 0o644 });
  const cutOff = async (unfinished: string) => {
    writeFileSync(unfinished, "half");
    throw new Error("D1 went away");
  };
  await expect(writeWhole(file, cutOff)).rejects.toThrow("D1 went away");
  expect(readFileSync(file, "utf8")).toBe("yesterday");
  await writeWhole(file, async (unfinished) => writeFileSync(unfinished, "today"));
  expect(readFileSync(file, "utf8")).toBe("today");
  expect(statSync(file).mode & 0o077).toBe(0);
  expect(readdirSync(folder)).toEqual(["copy.sql"]);
});
