/**
 * The first step of every command: makes node_modules match package-lock.json, then runs the given script with the Node
 * that the lock file has for this machine, so that an older Node is enough to begin with. Plain JavaScript without
 * imports from packages, because neither packages nor a Node that reads TypeScript may be there yet.
 *
 * node scripts/bootstrap.mjs scripts/start.ts --some-option
 *
 * package.json calls it with the Node that runs npm, whatever stands in node_modules/.bin: on a full disk that may be
 * half a file.
 */
import { spawn } from "node:child_process";
import { existsSync, lstatSync, readFileSync, rmSync } from "node:fs";
import { delimiter, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { alone } from "./alone.mjs";
import { explain, isDiskFull } from "./failures.mjs";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const modules = join(root, "node_modules");

/** What npm has installed. It writes this file last, so without it something is half done. */
const installed = join(modules, ".package-lock.json");

/** A package that holds Node for one platform, and needs no install script. There is none for a Mac in each version. */
const nodePackage = `node_modules/node-${process.platform}-${process.arch}`;
const ownNode = join(root, nodePackage, "bin", "node");

/** Ends with a sentence. */
function stop(sentence) {
  console.error(sentence);
  process.exit(1);
}

function readPackages(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8")).packages;
  } catch {
    return null;
  }
}

const [major, minor] = process.versions.node.split(".").map(Number);

/** Elsewhere npm leaves out the builds of tools whose `engines` name these versions, and says nothing. */
const canInstall = (major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major > 22;

/** What the scripts, React Router and Vitest need. */
const canRun = (major === 22 && minor >= 22) || major === 24 || major > 25;

function refuseMachine(wanted) {
  if (process.platform === "win32")
    stop("On Windows, Chuoni runs in WSL, Windows' own Linux: https://learn.microsoft.com/windows/wsl/install");
  if (!(nodePackage in wanted ? canInstall : canRun))
    stop(`This is Node ${process.versions.node}. Install Node 24, or 26 or newer: https://nodejs.org/en/download`);
}

/** The packages that aren't installed as the lock file says. Builds for other machines don't count. */
function findMissing(wanted) {
  const found = readPackages(installed) ?? {};
  return Object.keys(wanted).filter((path) => {
    if (path === "") return false;
    if (path === nodePackage && !existsSync(ownNode)) return true;
    if (path in found) return found[path].version !== wanted[path].version;
    return !wanted[path].optional || isForThisMachine(wanted[path]);
  });
}

/** Whether an optional package is this machine's build of something. Cloudflare's runtime needs glibc on Linux. */
function isForThisMachine({ os, cpu, libc }) {
  const suits = (list, own) => list === undefined || [list].flat().includes(own);
  return cpu !== undefined && suits(os, process.platform) && suits(cpu, process.arch) && suits(libc, "glibc");
}

async function install(wanted) {
  // npm would empty the other checkout's folder and put nothing in its place.
  if (lstatSync(modules, { throwIfNoEntry: false })?.isSymbolicLink())
    stop("node_modules is a link to packages of other versions. Delete the link, and run this again to install ours.");
  console.log(
    !existsSync(modules)
      ? "Installing packages, once …"
      : existsSync(installed)
        ? "The packages have changed. Installing them anew …"
        : "The packages are only half installed. Installing them anew …",
  );
  rmSync(installed, { force: true });
  const { code, output } = await npm("ci", "--include=dev", "--include=optional", "--loglevel=error");
  const missing = findMissing(wanted);
  const full = isDiskFull();
  if (code === 0 && missing.length === 0 && !full) return;
  rmSync(installed, { force: true });
  process.stderr.write(output);
  const reason =
    explain(full ? "ENOSPC" : output) ??
    (code === 0
      ? `npm left out ${missing.length} of them, such as ${missing[0]}. Run it again.`
      : "npm needs to reach its registry: check the network, and run it again.");
  stop(`\nThe packages could not be installed. ${reason}`);
}

function npm(...args) {
  const { npm_execpath: script = "", npm_node_execpath: node = process.execPath } = process.env;
  const [program, first] = script.endsWith("npm-cli.js") ? [node, [script]] : ["npm", []];
  return execute(program, [...first, ...args], ["ignore", "pipe", "pipe"], { NODE_ENV: "development" });
}

/** Runs a program until it ends, and ends it with us. */
function execute(program, args, stdio, env) {
  return new Promise((done) => {
    const child = spawn(program, args, { cwd: root, stdio, env: { ...process.env, ...env } });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (text) => (output += text));
    const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
    let interrupted = false;
    const pass = (signal) => {
      interrupted = true;
      child.kill(signal);
    };
    for (const signal of signals) process.on(signal, pass);
    const watch = watchParent(() => child.kill("SIGTERM"));
    child.on("error", (error) => stop(`${program} could not be started: ${error.message}`));
    child.on("close", (code, signal) => {
      clearInterval(watch);
      for (const name of signals) process.off(name, pass);
      if (signal !== null || (interrupted && code !== 0)) process.exit(code ?? 130);
      done({ code, output });
    });
  });
}

/** A signal to npm does not reach further than the shell between npm and here; that the shell is gone does. */
function watchParent(whenGone) {
  if (!process.env.npm_lifecycle_event) return undefined;
  const parent = process.ppid;
  return setInterval(() => {
    if (process.ppid !== parent) whenGone();
  }, 1000);
}

async function main(script, args) {
  const wanted = readPackages(join(root, "package-lock.json"));
  if (wanted === null) stop("package-lock.json can't be read. Bring it back: git checkout package-lock.json");
  refuseMachine(wanted);
  if (findMissing(wanted).length > 0)
    await alone(async () => {
      // Another command may have installed them meanwhile.
      if (findMissing(wanted).length > 0) await install(wanted);
    });
  const node = nodePackage in wanted ? ownNode : process.execPath;
  const { code } = await execute(node, [resolve(root, script), ...args], "inherit", {
    // Tools look for "node" there. npm 10 makes no link to ours in .bin.
    PATH: [dirname(node), join(modules, ".bin"), process.env.PATH ?? ""].join(delimiter),
    WRANGLER_SEND_METRICS: "false",
    WRANGLER_LOG: process.env.WRANGLER_LOG ?? "warn",
    // Without it every start asks the internet where on earth this machine is.
    CLOUDFLARE_CF_FETCH_ENABLED: "false",
  });
  process.exit(code);
}

const [script, ...args] = process.argv.slice(2);
await main(script, args).catch((error) => stop(explain(error.message) ?? error.stack));
