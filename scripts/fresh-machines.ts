/**
 * `npm run fresh-machines`: tries the README's two commands in new clones, with several versions of Node and npm,
 * interrupted at each step, on a full disk, twice at once, and beside other work. It prints a table. `-- --only WORD`
 * tries the rows that have the word. Linux only; as root it also plays another user and a small disk. It downloads
 * about 2 GB, and takes half an hour.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { CommandError, runCommand, runMain } from "#scripts/command.ts";
import { root } from "#scripts/folders.ts";
import { findFreePort } from "#scripts/free-port.ts";

interface Machine {
  /** The version of Node that it has, and of npm. */
  node: number;
  npm: number;
  /** In the folder's name. */
  space?: boolean;
  /** Root, or somebody who isn't. */
  nobody?: boolean;
  ignoreScripts?: boolean;
  /** As on a Mac: the lock file has no Node for it. */
  withoutOwnNode?: boolean;
}

const NOBODY = 65_534;
const PATIENCE_MS = 10 * 60_000;
const LOOK_MS = 50;
const WELCOME = "Stop with Ctrl-C.";

/** What the network may need, such as a proxy; without npm's, and ours. */
const FROM_HERE = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => !/^(npm_|NODE_ENV$|CHUONI_|WRANGLER_|CLOUDFLARE_|INIT_CWD$)/.test(name),
  ),
);

const work = mkdtempSync(join(tmpdir(), "start-fresh-"));
const tools = join(work, "tools");

/** Installs a package of npm once, and returns its folder. */
async function tool(name: string, version: number): Promise<string> {
  const prefix = join(tools, `${name}-${version}`);
  if (!existsSync(prefix)) {
    const result = await runCommand("npm", ["install", "--no-save", "--prefix", prefix, `${name}@${version}`]);
    if (!result.ok) throw new CommandError(result.output);
  }
  return join(prefix, "node_modules", name);
}

/** A clone of what is committed, on a machine that has this Node and this npm. */
class Clone {
  readonly folder: string;
  readonly #machine: Machine;
  readonly #path: string;

  private constructor(folder: string, machine: Machine, path: string) {
    this.folder = folder;
    this.#machine = machine;
    this.#path = path;
  }

  static async make(machine: Machine, parent = mkdtempSync(join(work, "machine-"))): Promise<Clone> {
    const bin = join(tools, `bin-${machine.node}-${machine.npm}`);
    const node = join(await tool(`node-linux-${process.arch}`, machine.node), "bin", "node");
    const npm = join(await tool("npm", machine.npm), "bin", "npm-cli.js");
    mkdirSync(bin, { recursive: true });
    for (const [name, command] of [
      ["node", node],
      ["npm", `${node} ${npm}`],
    ] as const) {
      writeFileSync(join(bin, name), `#!/bin/sh\nexec ${command} "$@"\n`);
      chmodSync(join(bin, name), 0o755);
    }
    chmodSync(work, 0o755);
    chmodSync(parent, 0o755);
    const folder = join(parent, machine.space ? "my campus" : "chuoni");
    await must("git", "clone", "--quiet", root, folder);
    const clone = new Clone(folder, machine, `${bin}:/usr/local/bin:/usr/bin:/bin`);
    mkdirSync(clone.#home);
    if (machine.withoutOwnNode) clone.#forgetOwnNode();
    if (machine.nobody) {
      chownSync(clone.#home, NOBODY, NOBODY);
      await must("chown", "-R", `${NOBODY}:${NOBODY}`, folder);
    }
    return clone;
  }

  get #home(): string {
    return `${this.folder} home`;
  }

  #forgetOwnNode(): void {
    for (const name of ["package.json", "package-lock.json"]) {
      const file = join(this.folder, name);
      const read = JSON.parse(readFileSync(file, "utf8"));
      for (const part of [read, read.packages?.[""] ?? {}]) delete part.optionalDependencies;
      for (const path of Object.keys(read.packages ?? {}))
        if (path.startsWith("node_modules/node-linux-")) delete read.packages[path];
      writeFileSync(file, JSON.stringify(read, null, 2));
    }
  }

  /** Runs npm, in a group of its own, as in a terminal. */
  npm(args: string[], port = 0): Run {
    const { nobody, ignoreScripts } = this.#machine;
    return new Run(
      spawn("npm", args, {
        cwd: this.folder,
        detached: true,
        stdio: ["ignore", "pipe", "pipe"],
        ...(nobody ? { uid: NOBODY, gid: NOBODY } : {}),
        env: {
          ...FROM_HERE,
          HOME: this.#home,
          PATH: this.#path,
          ...(nobody ? {} : { npm_config_cache: join(tools, "cache") }),
          PORT: String(port),
          ...(ignoreScripts ? { npm_config_ignore_scripts: "true" } : {}),
        },
      }),
    );
  }

  /** Starts, looks at the shop, asks the doctor, and stops. */
  async start(...says: string[]): Promise<void> {
    const port = await findFreePort();
    const run = this.npm(["start"], port);
    await run.says(WELCOME);
    for (const text of says) if (!run.output.includes(text)) throw new Error(`It doesn't say "${text}": ${run.output}`);
    const shop = await (await fetch(`http://localhost:${port}/campus`)).text();
    if (!shop.includes('href="/p/')) throw new Error("The shop is empty.");
    await this.npm(["run", "doctor", "--", "--local"], port).ends(0);
    await run.stop("SIGINT");
    if (/^\s+at |^\{/m.test(run.output)) throw new Error(`It prints what isn't for people: ${run.output}`);
  }
}

/** A command that runs. */
class Run {
  static readonly running = new Set<Run>();
  output = "";
  readonly #child: ChildProcess;
  readonly #ended: Promise<number | null>;
  #isOver = false;

  constructor(child: ChildProcess) {
    this.#child = child;
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding("utf8").on("data", (text: string) => (this.output += text));
    this.#ended = new Promise((done) => child.on("close", (code) => done(code)));
    Run.running.add(this);
    void this.#ended.then(() => {
      this.#isOver = true;
      Run.running.delete(this);
    });
  }

  /** Waits until it says this text, or until `isReached`. */
  async says(text: string, isReached: () => boolean = () => this.output.includes(text)): Promise<void> {
    const until = Date.now() + PATIENCE_MS;
    while (!isReached()) {
      if (this.#isOver) throw new Error(`It ended before "${text}": ${this.output}`);
      if (Date.now() > until) throw new Error(`It never came to "${text}": ${this.output}`);
      await sleep(LOOK_MS);
    }
  }

  async ends(code: number): Promise<void> {
    const found = await this.#ended;
    if (found !== code) throw new Error(`It ended with ${found}: ${this.output}`);
  }

  /** Ends it as Ctrl-C or a killed terminal does, which is the whole group; SIGTERM goes to npm only. */
  async stop(signal: "SIGINT" | "SIGTERM" | "SIGKILL"): Promise<void> {
    const { pid } = this.#child;
    if (pid === undefined) return;
    process.kill(signal === "SIGTERM" ? pid : -pid, signal);
    await this.#ended;
  }
}

async function must(name: string, ...args: string[]): Promise<void> {
  const result = await runCommand(name, args);
  if (!result.ok) throw new CommandError(result.output);
}

const QUICK_PARTS = ["lint", "migrations", "schema", "build"];

async function tryBothCommands(machine: Machine): Promise<void> {
  const clone = await Clone.make(machine);
  await clone.start("Installing packages, once …", "Building …", "Seeding the demo campus …");
  await clone.npm(["test", "--", ...QUICK_PARTS]).ends(0);
}

const USUAL: Machine = { node: 22, npm: 11 };

/** Ends the first starts while they install, build, migrate and seed. The last one has to come to its end. */
async function tryInterruptions(signal: "SIGINT" | "SIGTERM" | "SIGKILL"): Promise<void> {
  const clone = await Clone.make(USUAL);
  const exists = (...path: string[]) => existsSync(join(clone.folder, ...path));
  const steps: [string, () => boolean][] = [
    ["node_modules", () => exists("node_modules", "workerd")],
    ["build", () => exists("build", "client")],
    ["the database", () => exists(".wrangler", "state", "v3", "d1")],
    ["the demo campus", () => exists(".wrangler", "state", "unfinished")],
  ];
  for (const [name, isReached] of steps) {
    const run = clone.npm(["start"], await findFreePort());
    await run.says(name, isReached);
    await run.stop(signal);
  }
  await clone.start("only half made");
}

/** Gives the clone a disk that is too small for each step in turn. */
async function tryFullDisk(): Promise<void> {
  const disk = join(work, "disk");
  mkdirSync(disk);
  await must("mount", "-t", "tmpfs", "-o", "size=400m", "tmpfs", disk);
  try {
    const clone = await Clone.make(USUAL, disk);
    const full = async () => {
      const run = clone.npm(["start"], await findFreePort());
      await run.ends(1);
      if (!run.output.includes("There is no room on the disk")) throw new Error(`No sentence: ${run.output}`);
    };
    await full();
    await must("mount", "-o", "remount,size=4g", disk);
    await clone.npm(["test", "--", "migrations"]).ends(0);
    for (const room of [2, 8, 26]) {
      await must(
        "sh",
        "-c",
        `mount -o remount,size=$(($(df --output=used -k "${disk}" | tail -1) + ${room} * 1024))k "${disk}"`,
      );
      await full();
    }
    await must("mount", "-o", "remount,size=4g", disk);
    await clone.start();
  } finally {
    await must("umount", "-l", disk);
  }
}

async function tryTwoAtOnce(): Promise<void> {
  const clone = await Clone.make(USUAL);
  const tests = clone.npm(["test", "--", ...QUICK_PARTS]);
  await clone.start();
  await tests.ends(0);
}

/** Beside four busy programs for each processor. */
async function tryBusy(): Promise<void> {
  const busy = Array.from({ length: availableParallelism() * 4 }, () => spawn("sh", ["-c", "while :; do :; done"]));
  try {
    await (await Clone.make(USUAL)).start();
  } finally {
    for (const program of busy) program.kill();
  }
}

const isRoot = process.getuid?.() === 0;

const ROWS: [string, () => Promise<void>][] = [
  ["Node 20, npm 10", () => tryBothCommands({ node: 20, npm: 10 })],
  ["Node 20, npm 11, a folder with a space", () => tryBothCommands({ node: 20, npm: 11, space: true })],
  ["Node 22, npm 12", () => tryBothCommands({ node: 22, npm: 12 })],
  ["Node 24, npm 12", () => tryBothCommands({ node: 24, npm: 12 })],
  ["Node 24, npm 11, `ignore-scripts=true`", () => tryBothCommands({ node: 24, npm: 11, ignoreScripts: true })],
  ...(isRoot
    ? ([
        [
          "Node 22, npm 10, not root, a folder with a space",
          () => tryBothCommands({ node: 22, npm: 10, nobody: true, space: true }),
        ],
        ["a full disk while it installs, builds and seeds", tryFullDisk],
      ] satisfies [string, () => Promise<void>][])
    : []),
  ["no package with Node, as on a Mac: Node 22", () => tryBothCommands({ node: 22, npm: 10, withoutOwnNode: true })],
  ["no package with Node, as on a Mac: Node 24", () => tryBothCommands({ node: 24, npm: 12, withoutOwnNode: true })],
  ["Ctrl-C while it installs, builds, migrates and seeds", () => tryInterruptions("SIGINT")],
  ["SIGTERM to npm at the same steps", () => tryInterruptions("SIGTERM")],
  ["SIGKILL to all at the same steps", () => tryInterruptions("SIGKILL")],
  ["`npm start` and `npm test` at once", tryTwoAtOnce],
  ["`npm start` beside four busy programs for each processor", tryBusy],
];

await runMain(async () => {
  const { values } = parseArgs({ options: { only: { type: "string", default: "" } } });
  process.once("exit", () => rmSync(work, { recursive: true, force: true }));
  let failed = 0;
  console.log("| machine | result | seconds |\n|---|---|---|");
  for (const [name, attempt] of ROWS.filter(([row]) => row.includes(values.only))) {
    const begun = performance.now();
    const failure = await attempt().then(
      () => null,
      (error: Error) => error.message,
    );
    if (failure !== null) failed += 1;
    for (const run of Run.running) await run.stop("SIGKILL");
    console.log(`| ${name} | ${failure ?? "works"} | ${Math.round((performance.now() - begun) / 1_000)} |`);
  }
  if (failed > 0) throw new CommandError(`\n${failed} of them failed.`);
});
