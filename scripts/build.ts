import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { alone } from "#scripts/alone.mjs";
import { runCommand, CommandError } from "#scripts/command.ts";
import type { Environment } from "#scripts/environment.ts";
import { localBuild, productionBuild, root } from "#scripts/folders.ts";

/** Everything that a build depends on. */
const SOURCES = [
  "app/**",
  "workers/**",
  "public/**",
  "vite.config.ts",
  "scripts/{browsers,chunks,folders}.ts",
  "react-router.config.ts",
  "wrangler.toml",
  "tsconfig.json",
  "package.json",
  "package-lock.json",
];

/**
 * Holds the fingerprint of the sources that a folder was built from. It is written last, so a build without it is half
 * done.
 */
function fingerprintFile(folder: string): string {
  return join(folder, "fingerprint");
}

/** A hash over the names and contents of all sources. */
function fingerprint(): string {
  const hash = createHash("sha256");
  for (const name of globSync(SOURCES, { cwd: root }).toSorted()) {
    const path = join(root, name);
    if (statSync(path).isFile()) hash.update(name).update("\0").update(readFileSync(path)).update("\0");
  }
  return hash.digest("hex");
}

function isBuilt(folder: string, print: string): boolean {
  const file = fingerprintFile(folder);
  return existsSync(file) && readFileSync(file, "utf8") === print;
}

/**
 * Builds the local environment (app, static files, sandbox) into `build/`, unless nothing has changed since the last
 * build.
 * @param announce called with a line before a build starts
 * @throws CommandError with the builder's output if the build fails
 */
export async function ensureLocalBuild(announce: (line: string) => void = () => {}): Promise<void> {
  await alone(async () => {
    const print = fingerprint();
    if (isBuilt(localBuild, print)) return;
    const isHalf = existsSync(localBuild) && !existsSync(fingerprintFile(localBuild));
    announce(isHalf ? "The last build was not finished. Building anew …" : "Building …");
    rmSync(fingerprintFile(localBuild), { force: true });
    const result = await runCommand("react-router", ["build"]);
    if (!result.ok) throw new CommandError(`${result.output}\nThe build failed.`);
    writeFileSync(fingerprintFile(localBuild), print);
  }, announce);
}

/**
 * Like buildForCloudflare for production, unless nothing has changed since the last build.
 * @throws CommandError with the builder's output if the build fails
 */
export async function ensureProductionBuild(): Promise<void> {
  const print = fingerprint();
  if (isBuilt(productionBuild, print)) return;
  await buildForCloudflare("production");
  writeFileSync(fingerprintFile(productionBuild), print);
}

/**
 * Builds what goes to Cloudflare into `build-production/`.
 * @throws CommandError with the builder's output if the build fails
 */
export async function buildForCloudflare(environment: Environment): Promise<void> {
  rmSync(productionBuild, { recursive: true, force: true });
  const result = await runCommand("react-router", ["build"], { env: { CLOUDFLARE_ENV: environment } });
  if (!result.ok) throw new CommandError(`${result.output}\nThe build failed.`);
  // The builder copies local secrets next to the worker, for previews.
  rmSync(join(productionBuild, "server", ".dev.vars"), { force: true });
  // It also makes itself the build that Wrangler commands use by default. Our commands name their own with --config.
  rmSync(join(root, ".wrangler", "deploy"), { recursive: true, force: true });
}
