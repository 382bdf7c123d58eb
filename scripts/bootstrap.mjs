/**
 * The first step of every command: makes node_modules match package-lock.json, then runs the given script with the Node that
 * the lock file brings, so that a host with any Node from 20 on will do. Plain JavaScript without imports from packages,
 * because neither packages nor a Node that reads TypeScript may be there yet.
 *
 *     node scripts/bootstrap.mjs scripts/start.ts --some-option
 */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";

const root = resolve(import.meta.dirname ?? new URL(".", import.meta.url).pathname, "..");
const windows = process.platform === "win32";
const binaries = join(root, "node_modules", ".bin");
const ownNode = join(root, "node_modules", "node", "bin", windows ? "node.exe" : "node");

function readPackages(path) {
  try {
    return JSON.parse(readFileSync(join(root, path), "utf8")).packages;
  } catch {
    return null;
  }
}

/** True where every package of the lock file stands in node_modules in the locked version; builds for other platforms may be absent. */
function isInstalled() {
  const wanted = readPackages("package-lock.json");
  const found = readPackages("node_modules/.package-lock.json");
  if (!wanted || !found || !existsSync(ownNode)) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === "") return true;
    if (!found[path]) return entry.optional === true;
    return found[path].version === entry.version;
  });
}

function npm(...args) {
  const script = process.env.npm_execpath;
  const quiet = ["--loglevel=error", "--no-fund", "--no-audit"];
  const options = { cwd: root, encoding: "utf8", env: { ...process.env, NODE_ENV: "development" } };
  if (script?.endsWith(".js")) return spawnSync(process.execPath, [script, ...args, ...quiet], options);
  return spawnSync("npm", [...args, ...quiet], { ...options, shell: windows });
}

function install() {
  console.log("Installing packages, once …");
  const clean = existsSync(join(root, "node_modules")) ? null : npm("ci");
  if (clean?.status === 0) return;
  const result = npm("install", "--no-save");
  if (result.status === 0) return;
  process.stderr.write(`${clean?.stderr ?? ""}${result.stdout ?? ""}${result.stderr ?? ""}`);
  console.error(
    "\nThe packages could not be installed. npm needs to reach its registry: check the network and try again.",
  );
  process.exit(1);
}

function run(script, args) {
  const child = spawn(ownNode, [resolve(root, script), ...args], {
    cwd: root,
    stdio: "inherit",
    env: {
      ...process.env,
      PATH: `${binaries}${delimiter}${process.env.PATH ?? ""}`,
      WRANGLER_SEND_METRICS: "false",
      WRANGLER_LOG: process.env.WRANGLER_LOG ?? "warn",
      // Without it every start asks the internet where on earth this machine is.
      CLOUDFLARE_CF_FETCH_ENABLED: "false",
    },
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  stopWithParent(child);
  child.on("exit", (code, signal) => process.exit(code ?? (signal === "SIGINT" ? 130 : 1)));
}

/** A signal to npm does not reach further than the shell between npm and here; that the shell is gone does. */
function stopWithParent(child) {
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) child.kill("SIGTERM");
  }, 1000).unref();
}

const [script, ...args] = process.argv.slice(2);
if (Number(process.versions.node.split(".")[0]) < 20) {
  console.error(`Node 20 or newer is needed; this is ${process.version}.`);
  process.exit(1);
}
if (!isInstalled()) install();
run(script, args);
