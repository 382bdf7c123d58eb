/**
 * `npm run release -- 1.1.0`: gives this checkout the version, and keeps what the tests of later releases need: the
 * migrations as they are now, and the campus that this code leaves behind. Commit and tag what it changes.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { z } from "zod";
import { CommandError, runCommand, runMain } from "#scripts/command.ts";
import { cache, root } from "#scripts/folders.ts";
import { readMigrations } from "#scripts/migrations.ts";
import { campusFile, printsOf, readReleased, RELEASED_MIGRATIONS } from "#scripts/releases.ts";
import { ensureSecrets } from "#scripts/secrets.ts";

const Report = z.object({
  testResults: z.array(
    z.object({ assertionResults: z.array(z.object({ meta: z.object({ kept: z.string().optional() }).optional() })) }),
  ),
});

/** Plays a simulated campus, and returns what `tests/workers/releases.test.ts` keeps of it. */
async function makeCampus(version: string): Promise<string> {
  const report = join(cache, "release.json");
  const { ok, output } = await runCommand(
    "vitest",
    ["run", "--project", "workers", "tests/workers/releases.test.ts", "--reporter=json", `--outputFile.json=${report}`],
    { env: { CHUONI_RELEASE: version } },
  );
  if (!ok) throw new CommandError(output);
  const { testResults } = Report.parse(JSON.parse(readFileSync(report, "utf8")));
  const kept = testResults.flatMap(({ assertionResults }) => assertionResults).find(({ meta }) => meta?.kept)
    ?.meta?.kept;
  if (kept === undefined) throw new CommandError("The campus was played, and nothing of it was kept.");
  return kept;
}

await runMain(async () => {
  const { positionals } = parseArgs({ allowPositionals: true });
  const [version = ""] = positionals;
  if (!/^\d+\.\d+\.\d+$/.test(version)) throw new CommandError("Name the version: npm run release -- 1.1.0");
  const released = readReleased();
  if (Object.hasOwn(released, version))
    throw new CommandError(`${version} is released. What changed since is another.`);
  if (!readFileSync(join(root, "CHANGELOG.md"), "utf8").includes(`## [${version}] - `))
    throw new CommandError(
      `CHANGELOG.md has no "## [${version}] - " with the day. Write what is new for people first.`,
    );
  ensureSecrets();
  console.log("Playing the campus that is kept …");
  const campus = await makeCampus(version);
  const named = await runCommand("npm", ["version", version, "--no-git-tag-version", "--allow-same-version"]);
  if (!named.ok) throw new CommandError(named.output);
  mkdirSync(dirname(campusFile(version)), { recursive: true });
  writeFileSync(campusFile(version), gzipSync(campus, { level: 9 }));
  const migrations = { ...released, [version]: printsOf(readMigrations()) };
  writeFileSync(RELEASED_MIGRATIONS, `${JSON.stringify(migrations, null, 2)}\n`);
  console.log(`${version} is kept. Next: npm test; then commit, and git tag v${version}.`);
});
