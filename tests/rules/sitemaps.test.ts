import { expect, test } from "vitest";
import { SITEMAP_MAX } from "#app/platform/sitemap-xml.ts";
import { makeDatabase, readMigrations } from "#scripts/migrations.ts";

test("the triggers cut the sitemaps into parts of the size that the sitemaps are written in", () => {
  const triggers = makeDatabase(readMigrations())
    .prepare("SELECT sql FROM sqlite_master WHERE type = 'trigger' AND sql LIKE '%sitemap_parts%'")
    .all() as { sql: string }[];
  const sizes = triggers.map(({ sql }) => [...sql.matchAll(/\(\S+ - 1\) \/ (\d+)/g)].map(([, size]) => Number(size)));
  expect(triggers.length).toBeGreaterThan(0);
  for (const inTrigger of sizes) {
    expect(inTrigger.length).toBeGreaterThan(0);
    for (const size of inTrigger) expect(size).toBe(SITEMAP_MAX);
  }
});
