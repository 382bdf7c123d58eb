/** The file of `npm run backup`. What is in it, tests/workers/backup.test.ts shows. */
import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { backUp, restoreFile } from "#scripts/backup/file.ts";
import { CommandError } from "#scripts/command.ts";
import { migratable, withEmptyDatabase } from "#scripts/database.ts";
import { cache } from "#scripts/folders.ts";
import { findDifferences, migrate, readMigrations } from "#scripts/migrations.ts";
import { bookOneSide } from "#tests/support/torn-books.ts";

const folder = mkdtempSync(join(tmpdir(), "copy-"));
const file = join(folder, "copy.jsonl");
const madeOfCopies = () => readdirSync(cache).filter((name) => name.startsWith("empty-database-"));

test("a copy replaces the last one only if a database was made of it, for its owner's eyes alone", async () => {
  writeFileSync(file, "yesterday", { mode: 0o644 });
  const before = madeOfCopies();
  await withEmptyDatabase(async (source) => {
    await migrate(migratable(source), readMigrations());
    await bookOneSide(source, "escrow", 5);
    const torn = backUp(source, file);
    await expect(torn).rejects.toThrow(CommandError);
    await expect(torn).rejects.toThrow("The copy was not kept, because no database can be made of it.");
    await expect(torn).rejects.toThrow("The books of the copy don't balance");
    expect(readFileSync(file, "utf8")).toBe("yesterday");

    await bookOneSide(source, "mpesa_collection", -5);
    const { tables, changed } = await backUp(source, file);
    expect(changed).toEqual([]);
    expect(tables.find(({ name }) => name === "categories")?.rows).toBeGreaterThan(0);
  });
  expect(statSync(file).mode & 0o077).toBe(0);
  expect(readdirSync(folder)).toEqual(["copy.jsonl"]);
  expect(madeOfCopies()).toEqual(before);

  await withEmptyDatabase(async (target) => {
    await restoreFile(file, migratable(target), target);
    expect(await findDifferences(migratable(target), readMigrations())).toEqual([]);
    expect(await migrate(migratable(target), readMigrations())).toEqual([]);
  });
});

test("a copy that fails leaves the last one", async () => {
  writeFileSync(file, "yesterday");
  const away = () => {
    throw new Error("D1 went away");
  };
  await expect(backUp({ prepare: away, batch: away }, file)).rejects.toThrow("D1 went away");
  expect(readFileSync(file, "utf8")).toBe("yesterday");
  expect(readdirSync(folder)).toEqual(["copy.jsonl"]);
});
