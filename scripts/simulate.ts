/**
 * `npm run simulate`: plays the money from many seeds, longer than the tests do, and lists the seeds that fail.
 *
 * npm run simulate -- --seeds 10000 --first 1     a long run
 * npm run simulate -- --seed 4711                 one seed again, with its story
 * npm run simulate -- --seeds 200 --emails         also which emails would have left
 */
import { parseArgs } from "node:util";
import { runCommand, runMain, CommandError } from "#scripts/command.ts";
import { ensureSecrets } from "#scripts/secrets.ts";

/** How many seeds one start of workerd plays. */
const AT_ONCE = 500;

interface Played {
  ok: boolean;
  output: string;
}

async function play(first: number, seeds: number, { story = false, emails = false }): Promise<Played> {
  const args = [
    "run",
    "--project",
    "workers",
    "tests/workers/simulation.test.ts",
    "--retry",
    "0",
    ...(story || emails ? ["--silent=false"] : []),
  ];
  return runCommand("vitest", args, {
    env: { CHUONI_SIMULATION: JSON.stringify({ first, seeds, story, emails }) },
    timeoutMs: 60 * 60_000,
  });
}

function readNumber(text: string, name: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1) throw new CommandError(`--${name} takes a whole number from 1.`);
  return number;
}

/** Every line that names a seed, once. */
function failuresIn(output: string): string[] {
  return [...new Set([...output.matchAll(/seed \d+: [^"\n]+/g)].map(([line]) => line))];
}

async function playOne(seed: number): Promise<boolean> {
  const { ok, output } = await play(seed, 1, { story: true });
  console.log(
    output
      .split("\n")
      .filter((line) => /^\s*[\d.]+ s {2}/.test(line))
      .join("\n"),
  );
  console.log(ok ? `\nSeed ${seed} ends well.` : `\n${failuresIn(output).join("\n") || output}`);
  return ok;
}

async function playMany(first: number, seeds: number, emails: boolean): Promise<boolean> {
  const startedAt = performance.now();
  const bad: string[] = [];
  for (let done = 0; done < seeds; done += AT_ONCE) {
    const count = Math.min(AT_ONCE, seeds - done);
    const { ok, output } = await play(first + done, count, { emails });
    const failures = failuresIn(output);
    if (!ok && failures.length === 0) throw new CommandError(output);
    for (const failure of failures) console.log(failure);
    for (const [line] of output.matchAll(/^email .*/gm)) console.log(line);
    bad.push(...failures);
    console.log(
      `${done + count} of ${seeds} seeds, ${bad.length} failures, ${Math.round((performance.now() - startedAt) / 1000)} s`,
    );
  }
  return bad.length === 0;
}

await runMain(async () => {
  const { values } = parseArgs({
    options: {
      seeds: { type: "string", default: "1000" },
      first: { type: "string", default: "1" },
      seed: { type: "string" },
      emails: { type: "boolean", default: false },
    },
  });
  ensureSecrets();
  const well =
    values.seed === undefined
      ? await playMany(readNumber(values.first, "first"), readNumber(values.seeds, "seeds"), values.emails)
      : await playOne(readNumber(values.seed, "seed"));
  process.exit(well ? 0 : 1);
});
