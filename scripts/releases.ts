/**
 * The releases: which migrations each had, and the campus that its code left behind, for the test that updates it.
 * `npm run release -- 1.1.0` adds one.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { z } from "zod";
import { root } from "#scripts/folders.ts";
import { type Migration, statementsOf } from "#scripts/migrations.ts";

const Released = z.record(z.string(), z.record(z.string(), z.string()));
/** By release: the SHA-256 of each of its migrations, by the file's name. */
type Released = z.infer<typeof Released>;

export const RELEASED_MIGRATIONS = join(root, "migrations", "released.json");

export function campusFile(version: string): string {
  return join(root, "tests", "releases", `${version}.json.gz`);
}

export function readReleased(): Released {
  return Released.parse(JSON.parse(readFileSync(RELEASED_MIGRATIONS, "utf8")));
}

/** The SHA-256 of each migration, by the file's name. */
export function printsOf(migrations: Migration[]): Released[string] {
  return Object.fromEntries(migrations.map(({ name, sql }) => [name, createHash("sha256").update(sql).digest("hex")]));
}

/** Which released migrations are gone, or not what they were, a line for each. */
export function findChangedMigrations(released: Released, migrations: Migration[]): string[] {
  const prints = printsOf(migrations);
  return Object.entries(released).flatMap(([version, files]) =>
    Object.entries(files).flatMap(([name, print]) =>
      prints[name] === print
        ? []
        : [`${name} was released with ${version}, and databases have it: put it back, and write a new migration.`],
    ),
  );
}

/** What `tests/workers/releases.test.ts` needs of a release. A type, because bindings of tests take no interface. */
export type ReleaseUnderTest = {
  version: string;
  /** The statements of its migrations, and of those since then. */
  schema: string[];
  later: string[];
  /** JSON of a `ReleasedCampus`. */
  campus: string;
};

export function readReleasesUnderTest(migrations: Migration[]): ReleaseUnderTest[] {
  return Object.entries(readReleased()).map(([version, files]) => {
    const statements = (has: boolean) =>
      migrations.filter(({ name }) => Object.hasOwn(files, name) === has).flatMap(({ sql }) => statementsOf(sql));
    return {
      version,
      schema: statements(true),
      later: statements(false),
      campus: gunzipSync(readFileSync(campusFile(version))).toString(),
    };
  });
}
