/**
 * `npm test`: all checks before a change lands. `npm test -- rules` (or another name) runs one part, and `npm test --
 * quick` what a change touches. Each part prints one line; a part that fails also prints its tool's output. The last
 * line holds the totals.
 */
import { appendFileSync, cpSync, mkdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { ensureLocalBuild } from "#scripts/build.ts";
import { findProductionFaults, findSchemaDrift } from "#scripts/checks.ts";
import { ensureChromium } from "#scripts/chromium.ts";
import { startLocalCron } from "#scripts/local-cron.ts";
import { runCommand, runMain, sentencesOf, CommandError } from "#scripts/command.ts";
import { prepareLocalEnvironment } from "#scripts/local-environment.ts";
import { findMigrationFaults, readMigrations } from "#scripts/migrations.ts";
import { cache, makeTemporaryFolder } from "#scripts/folders.ts";
import { changedFiles, findRelatedTests } from "#scripts/related-tests.ts";
import { ensureSecrets } from "#scripts/secrets.ts";
import { backUp, restoreFile } from "#scripts/backup/file.ts";
import { migratable, withLocalDatabase } from "#scripts/database.ts";
import { FIREFOX_ADVICE, findFirefox } from "#scripts/firefox.ts";
import { findFreePort } from "#scripts/free-port.ts";
import { serveLocalBuild } from "#scripts/serve.ts";
import { readPlaywrightReport, readVitestReport } from "#scripts/test-reports.ts";
import type { Tally } from "#scripts/test-reports.ts";
import { findWebKit, WEBKIT_ADVICE } from "#scripts/webkit.ts";
import { findNewerQueries, findWeightFaults } from "#scripts/weight.ts";

interface Outcome extends Tally {
  /** The output of a part that failed. */
  output: string;
  /** What to do for a part that can't run on this machine. */
  skipped?: string;
}

type Part = () => Promise<Outcome>;

/** What the tools report, and what a failure leaves to look at. */
const folder = join(cache, "test");

/** The data of the servers under test, and what browsers keep for a while. */
const temporary = makeTemporaryFolder();
process.env.TMPDIR = temporary;

/** Only a part that hangs is killed, because a busy machine is slow but not wrong. In ms. */
const PART_TIMEOUT_MS = 60 * 60_000;

/** A check that counts as one test. It passes if it finds nothing. */
function check(findFaults: () => string[] | Promise<string[]>): Part {
  return async () => {
    const faults = await findFaults();
    return faults.length === 0
      ? { passed: 1, failed: 0, output: "" }
      : { passed: 0, failed: 1, output: faults.join("\n") };
  };
}

/** A check by a tool's exit code. */
function tool(name: string, ...args: string[]): Part {
  return check(async () => {
    const result = await runCommand(name, args);
    return result.ok ? [] : [result.output];
  });
}

/** All tests of a project, or those of these files. */
function vitest(project: string, ...files: string[]): Part {
  return async () => {
    const report = join(folder, `${project}.json`);
    const result = await runCommand(
      "vitest",
      ["run", "--project", project, "--reporter=default", "--reporter=json", `--outputFile.json=${report}`, ...files],
      { timeoutMs: PART_TIMEOUT_MS },
    );
    return tally(result, () => readVitestReport(report));
  };
}

/** Uses the report for the numbers, and the exit code for the result. */
function tally(result: { ok: boolean; output: string }, read: () => Tally): Outcome {
  let counted: Tally;
  try {
    counted = read();
  } catch {
    return { passed: 0, failed: 1, output: result.output };
  }
  const failed = result.ok ? counted.failed : Math.max(1, counted.failed);
  return { ...counted, failed, output: result.output };
}

/** How often the server under test runs the scheduled jobs, in ms. */
const JOBS_EVERY_MS = 2_000;

/** Safaricom's sandbox takes this share of its usual time, because nobody watches. */
const SANDBOX_PACE = 0.25;

/** Starts the server under test, with the data in `state` and its scheduled jobs. */
async function startUnderTest(state: string, log: string): Promise<{ origin: string; stop: () => Promise<void> }> {
  const note = (line: string) => appendFileSync(log, `${line}\n`);
  process.env.CHUONI_STATE = state;
  const server = await serveLocalBuild({
    port: await findFreePort(),
    onLog: ({ level, message }) => note(`${level} ${message}`),
  });
  const stopCron = startLocalCron(server.origin, JOBS_EVERY_MS, note);
  const stop = () => {
    stopCron();
    return server.stop();
  };
  try {
    await setSandboxPace(server.origin);
  } catch (error) {
    await stop();
    throw error;
  }
  return { origin: server.origin, stop };
}

async function setSandboxPace(origin: string): Promise<void> {
  const answer = await fetch(`${origin}/sandbox/faults`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ pace: SANDBOX_PACE }),
  });
  if (!answer.ok) throw new CommandError(`The sandbox refused its pace: ${answer.status} ${await answer.text()}`);
}

let prepared: Promise<string> | undefined;

/** The data for the servers under test, made once. */
function prepareState(): Promise<string> {
  const prepare = async () => {
    const state = join(temporary, "state");
    process.env.CHUONI_STATE = state;
    await prepareLocalEnvironment(() => {});
    return state;
  };
  return (prepared ??= prepare());
}

let restored: Promise<string> | undefined;

/**
 * The same data, restored from a copy of its rows, once. So each run of the tests plays a restore, and uses what it
 * gave.
 */
function restoreState(): Promise<string> {
  const restore = async () => {
    const state = await prepareState();
    const target = join(temporary, "restored");
    const copy = `${target}.jsonl`;
    process.env.CHUONI_STATE = state;
    await withLocalDatabase((database) => backUp(database, copy));
    cpSync(state, target, { recursive: true });
    rmSync(join(target, "v3", "d1"), { recursive: true });
    process.env.CHUONI_STATE = target;
    await withLocalDatabase((database) => restoreFile(copy, migratable(database), database));
    return target;
  };
  return (restored ??= restore());
}

/** A copy for the server of one project: what its tests leave behind is nobody else's. */
function copyState(state: string, project: string): string {
  const copy = join(temporary, `state-for-${project}`);
  cpSync(state, copy, { recursive: true });
  return copy;
}

/** Runs a project of the browser tests against a server with its own port and the data in `state`. */
async function browserTests(state: string, project: string): Promise<Outcome> {
  const log = join(folder, `server-${project}.log`);
  const server = await startUnderTest(state, log);
  try {
    const report = join(folder, `browser-${project}.json`);
    const result = await runCommand("playwright", ["test", "--reporter=list,json", `--project=${project}`], {
      env: {
        CHUONI_ORIGIN: server.origin,
        PLAYWRIGHT_JSON_OUTPUT_FILE: report,
      },
      timeoutMs: PART_TIMEOUT_MS,
    });
    return tally({ ...result, output: `${result.output}\nThe server's log: ${log}` }, () =>
      readPlaywrightReport(report),
    );
  } finally {
    await server.stop();
  }
}

/** The browser tests of one size. */
function chromiumTests(size: "phone" | "desktop"): Part {
  return async () => {
    await ensureChromium();
    await ensureLocalBuild();
    return browserTests(copyState(await restoreState(), size), size);
  };
}

/** The browser tests of an engine that may be missing here. `advice` says how to install it. */
function engineTests(engine: "firefox" | "webkit", find: () => unknown, advice: string): Part {
  return async () => {
    if (find() === null) return { passed: 0, failed: 0, output: "", skipped: advice };
    await ensureChromium();
    await ensureLocalBuild();
    return browserTests(copyState(await prepareState(), engine), engine);
  };
}

async function buildLocally(): Promise<string[]> {
  await ensureLocalBuild();
  return findNewerQueries();
}

async function checkTypes(): Promise<string[]> {
  for (const [name, args] of [
    ["react-router", ["typegen"]],
    // What it found the last time saves most of the next: 29 s of one core become 2.
    ["tsc", ["--noEmit", "--incremental", "--tsBuildInfoFile", join(cache, "types.tsbuildinfo")]],
  ] as const) {
    const result = await runCommand(name, [...args]);
    if (!result.ok) return [result.output];
  }
  return [];
}

/**
 * The groups run at the same time, and the parts of a group one after the other: the smallest machine has two cores,
 * and the server tests use one of them.
 */
const PARALLEL_GROUPS: Record<string, Part>[] = [
  {
    format: tool("oxfmt", "--check"),
    lint: tool("oxlint"),
    migrations: check(() => readMigrations().flatMap(findMigrationFaults)),
    schema: check(findSchemaDrift),
    rules: vitest("rules"),
    workers: vitest("workers"),
  },
  {
    build: check(buildLocally),
    weight: check(findWeightFaults),
    production: check(findProductionFaults),
    types: check(checkTypes),
    unused: tool("knip"),
    phone: chromiumTests("phone"),
    desktop: chromiumTests("desktop"),
    firefox: engineTests("firefox", findFirefox, FIREFOX_ADVICE),
    webkit: engineTests("webkit", findWebKit, WEBKIT_ADVICE),
  },
];

/** Of all worker tests, those that stand closest to what has changed. */
async function relatedTests(): Promise<Outcome> {
  const files = findRelatedTests(await changedFiles());
  console.log(`related: ${files.map((file) => basename(file)).join(", ") || "no worker test"}`);
  return files.length > 0 ? vitest("workers", ...files)() : { passed: 0, failed: 0, output: "" };
}

/** `npm test -- quick`: an answer in three minutes. */
function quickGroups(): Record<string, Part>[] {
  const { types, format, lint, rules } = chosenParts(["types", "format", "lint", "rules"]);
  return [{ types, format, lint, rules } as Record<string, Part>, { related: relatedTests }];
}

const total: Tally = { passed: 0, failed: 0 };

async function run(name: string, part: Part): Promise<void> {
  const start = performance.now();
  const outcome = await part().catch((error: unknown): Outcome => ({
    passed: 0,
    failed: 1,
    output: sentencesOf(error),
  }));
  total.passed += outcome.passed;
  total.failed += outcome.failed;
  if (outcome.skipped) return console.log(`– ${name.padEnd(12)} skipped: ${outcome.skipped}`);
  const seconds = `${((performance.now() - start) / 1000).toFixed(1)} s`;
  const counts = outcome.failed > 0 ? `${outcome.passed} passed, ${outcome.failed} failed` : `${outcome.passed} passed`;
  console.log(`${outcome.failed > 0 ? "✗" : "✓"} ${name.padEnd(12)} ${seconds.padStart(8)}   ${counts}`);
  for (const line of outcome.counted ?? []) console.log(`  ${line}`);
  for (const title of outcome.flaky ?? []) console.log(`  passed at a later try: ${title}`);
  if (outcome.failed > 0) console.log(`${outcome.output.trim()}\n`);
}

async function runInTurn(parts: Record<string, Part>): Promise<void> {
  for (const [name, part] of Object.entries(parts)) await run(name, part);
}

/** The parts that were named. */
function chosenParts(names: string[]): Record<string, Part> {
  const everything = new Map(PARALLEL_GROUPS.flatMap((parts) => Object.entries(parts)));
  const chosen: Record<string, Part> = {};
  for (const name of names) {
    const part = everything.get(name);
    if (!part)
      throw new CommandError(`There is no part named ${name}. The parts: ${[...everything.keys()].join(", ")}.`);
    chosen[name] = part;
  }
  return chosen;
}

await runMain(async () => {
  const names = process.argv.slice(2);
  const groups = names.length === 0 ? PARALLEL_GROUPS : names.join() === "quick" ? quickGroups() : [chosenParts(names)];
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  ensureSecrets();
  await Promise.all(groups.map(runInTurn));
  const code = total.failed > 0 ? 1 : 0;
  // A pipe may still hold earlier lines. Exiting before they are read would lose the totals.
  process.stdout.write(`\n${total.passed} passed, ${total.failed} failed\n`, () => process.exit(code));
});
