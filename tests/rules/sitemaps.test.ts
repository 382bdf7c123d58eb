import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { SITEMAP_MAX } from "#app/platform/sitemap-xml.ts";

const folder = resolve(import.meta.dirname, "../../migrations");

test("the triggers cut the sitemaps into parts of the size that the sitemaps are written in", () => {
  const db = new DatabaseSync(":memory:");
  for (const name of readdirSync(folder).toSorted())
    if (name.endsWith(".sql")) db.exec(readFileSync(resolve(folder, name), "utf8"));
  const triggers = db
    .prepare("SELECT sql FROM sqlite_master WHERE type = 'trigger' AND sql LIKE '%sitemap_parts%'")
    .all() as { sql: string }[];
  const sizes = triggers.map(({ sql }) => [...sql.matchAll(/\(\S+ - 1\) \/ (\d+)/g)].map(([, size]) => Number(size)));
  expect(triggers.length).toBeGreaterThan(0);
  for (const inTrigger of sizes) {
    expect(inTrigger.length).toBeGreaterThan(0);
    for (const size of inTrigger) expect(size).toBe(SITEMAP_MAX);
  }
});
