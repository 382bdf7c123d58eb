/** The simple checks of `npm test`. Each checks one thing and lists what is wrong with it, line by line. */
import { cpSync, globSync, readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { PASSWORD_COST } from "#app/accounts/login/password-cost.ts";
import { ensureProductionBuild } from "#scripts/build.ts";
import { runCommand } from "#scripts/command.ts";
import { cache, productionBuild, root } from "#scripts/folders.ts";

/**
 * Whether the tables in the code are ahead of the migrations. It asks drizzle-kit for the next migration in a temporary
 * folder.
 */
export async function findSchemaDrift(): Promise<string[]> {
  const copy = join(cache, "migrations");
  rmSync(copy, { recursive: true, force: true });
  cpSync(join(root, "migrations"), copy, { recursive: true });
  const before = globSync("*.sql", { cwd: copy }).length;
  const result = await runCommand("drizzle-kit", ["generate"], { env: { CHUONI_MIGRATIONS: relative(root, copy) } });
  if (!result.ok) return [result.output];
  const after = globSync("*.sql", { cwd: copy }).length;
  rmSync(copy, { recursive: true, force: true });
  return after === before
    ? []
    : ["tables.server.ts of a folder has changes that no migration makes: npm run db:generate."];
}

/**
 * Builds for production, lets Wrangler check what it would deploy, and searches it for anything of the sandbox, also
 * its cheap passwords.
 * @throws CommandError if the build fails
 */
export async function findProductionFaults(): Promise<string[]> {
  await ensureProductionBuild();
  const faults: string[] = [];
  const config = join(productionBuild, "server", "wrangler.json");
  const dryRun = await runCommand("wrangler", ["deploy", "--config", config, "--dry-run"], {
    env: { WRANGLER_LOG: "log" },
  });
  if (!dryRun.ok) faults.push(dryRun.output);
  if (!dryRun.output.includes("--dry-run: exiting now")) faults.push("Wrangler did not get to the end of its dry run.");
  const texts = new Map(
    globSync("**/*.{js,mjs,json,html,css,svg,txt}", { cwd: productionBuild }).map((path) => [
      path,
      readFileSync(join(productionBuild, path), "utf8"),
    ]),
  );
  const marks = sandboxMarks();
  for (const [path, text] of texts) {
    const mark = marks.find((candidate) => text.includes(candidate));
    if (mark !== undefined) faults.push(`${relative(root, productionBuild)}/${path} holds "${mark}" of the sandbox.`);
  }
  const costs = findPasswordCosts([...texts.values()]);
  const wanted = `${PASSWORD_COST.N},${PASSWORD_COST.r},${PASSWORD_COST.p}`;
  if (costs.join(" ") !== wanted)
    faults.push(`Passwords are hashed at the cost of ${costs.join(" and ") || "nothing"}, not of ${wanted}.`);
  return faults;
}

/** Each cost of scrypt that a build names: N, r and p. */
function findPasswordCosts(texts: string[]): string[] {
  const found = texts.flatMap((text) => [...text.matchAll(/\bN:\s*(\d+),\s*r:\s*(\d+),\s*p:\s*(\d+)/g)]);
  return [...new Set(found.map(([, ...cost]) => cost.join()))];
}

/** The sandbox's name, and every longer text of its source that occurs nowhere else in the repository. */
function sandboxMarks(): string[] {
  const folders = ["workers/sandbox/**", "app/screens/component-samples/**"];
  const own = folders.map((folder) => readAll(`${folder}/*.{ts,tsx}`)).join("\n");
  const others = readAll("{app,workers}/**/*.{ts,tsx}", ...folders);
  const texts = own.match(/(["'`])(?:(?!\1)[^\\\n$])+\1/g) ?? [];
  // Libraries have the alphabet, too.
  const isAlphabet = (text: string) => /^[0-9A-Z]+$/.test(text);
  const marks = texts
    .map((text) => text.slice(1, -1))
    .filter((text) => text.length >= 20 && !isAlphabet(text) && !others.includes(text));
  return ["chuoni-sandbox", ...new Set(marks)];
}

function readAll(pattern: string, ...exclude: string[]): string {
  const paths = globSync(pattern, { cwd: root, exclude });
  return paths.map((path) => readFileSync(join(root, path), "utf8")).join("\n");
}
