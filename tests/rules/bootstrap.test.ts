/** The first step of every command, played in a folder of its own with an npm that only pretends. */
import { spawn } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeTemporaryFolder, root } from "#scripts/folders.ts";

const OWN_NODE = `node_modules/node-${process.platform}-${process.arch}`;
const THIS_MACHINE = { os: [process.platform], cpu: [process.arch], optional: true };

/**
 * What the lock file wants: a package for all, one for this machine, one for another, and the Node for this machine.
 */
const WANTED = {
  "": {},
  "node_modules/router": { version: "8.0.0" },
  "node_modules/builder-here": { version: "3.0.0", ...THIS_MACHINE },
  "node_modules/builder-elsewhere": { version: "3.0.0", os: ["aix"], cpu: ["ppc64"], optional: true },
  [OWN_NODE]: { version: "24.0.0", ...THIS_MACHINE },
};
const HERE = ["node_modules/router", "node_modules/builder-here", OWN_NODE];

/** Installs as npm does: the list of what is there comes last. How it ends is in the environment. */
const NPM = `
import { appendFileSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
appendFileSync("npm.log", process.argv.slice(2).join(" ") + "\\n");
rmSync("node_modules", { recursive: true, force: true });
mkdirSync("${OWN_NODE}/bin", { recursive: true });
const ownNode = "#!/bin/sh\\necho the locked Node runs \\"$@\\"\\necho tools find $(command -v node)\\n";
writeFileSync("${OWN_NODE}/bin/node", ownNode, { mode: 0o755 });
const { NPM_SAYS, NPM_LEAVES_OUT, NPM_TAKES_MS = "0" } = process.env;
await new Promise((done) => setTimeout(done, Number(NPM_TAKES_MS)));
if (NPM_SAYS) {
  console.error(NPM_SAYS);
  process.exit(1);
}
const wanted = ${JSON.stringify(WANTED)};
const here = ${JSON.stringify(HERE)}.filter((path) => path !== NPM_LEAVES_OUT);
const packages = Object.fromEntries(here.map((path) => [path, wanted[path]]));
writeFileSync("node_modules/.package-lock.json", JSON.stringify({ packages }));
`;

const folder = makeTemporaryFolder();

/** A checkout with a space in its path, and nothing installed. */
function makeCheckout(wanted: Record<string, object> = WANTED) {
  const checkout = mkdtempSync(join(folder, "my campus "));
  mkdirSync(join(checkout, "scripts"));
  for (const name of ["bootstrap.mjs", "alone.mjs", "failures.mjs"])
    copyFileSync(join(root, "scripts", name), join(checkout, "scripts", name));
  writeFileSync(join(checkout, "package-lock.json"), JSON.stringify({ packages: wanted }));
  writeFileSync(join(checkout, "package.json"), JSON.stringify({ type: "module" }));
  writeFileSync(join(checkout, "npm-cli.js"), NPM);
  writeFileSync(join(checkout, "hello.ts"), "console.log(`this Node runs ${process.argv[2]}`);");
  return checkout;
}

interface Ended {
  code: number | null;
  output: string;
}

function start(checkout: string, env: Record<string, string> = {}, options: string[] = []) {
  const { npm_node_execpath: _, ...inherited } = process.env;
  const child = spawn(process.execPath, [...options, "scripts/bootstrap.mjs", "hello.ts", "--fast"], {
    cwd: checkout,
    env: { ...inherited, npm_lifecycle_event: "", npm_execpath: join(checkout, "npm-cli.js"), ...env },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (output += text));
  const ended = new Promise<Ended>((done) => child.on("close", (code) => done({ code, output })));
  return { child, ended };
}

const run = (...args: Parameters<typeof start>) => start(...args).ended;

function installations(checkout: string): number {
  const log = join(checkout, "npm.log");
  return existsSync(log) ? readFileSync(log, "utf8").trim().split("\n").length : 0;
}

/** Waits until npm has begun for the `nth` time. */
async function installing(checkout: string, nth = 1): Promise<void> {
  while (installations(checkout) < nth) await new Promise((done) => setTimeout(done, 20));
}

test("the first command installs, and the next ones don't", async () => {
  const checkout = makeCheckout();
  const first = await run(checkout);
  expect(first.output).toContain("Installing packages, once …");
  expect(first.output).toContain(`the locked Node runs ${join(checkout, "hello.ts")} --fast`);
  expect(first.output).toContain(`tools find ${join(checkout, OWN_NODE, "bin", "node")}`);
  expect((await run(checkout)).output).not.toContain("Installing");
  expect(installations(checkout)).toBe(1);
});

test("packages of another checkout that are linked here are left alone", async () => {
  const [checkout, other] = [makeCheckout(), makeCheckout()];
  await run(other);
  writeFileSync(join(other, "node_modules", ".package-lock.json"), JSON.stringify({ packages: {} }));
  symlinkSync(join(other, "node_modules"), join(checkout, "node_modules"));
  const refused = await run(checkout);
  expect(refused).toMatchObject({ code: 1, output: expect.stringContaining("node_modules is a link") });
  expect(existsSync(join(other, OWN_NODE, "bin", "node"))).toBe(true);
  expect(installations(checkout)).toBe(0);
});

test("an installation that was killed begins anew, with a sentence", async () => {
  const checkout = makeCheckout();
  const { child, ended } = start(checkout, { NPM_TAKES_MS: "60000" });
  await installing(checkout);
  child.kill("SIGTERM");
  expect((await ended).code).not.toBe(0);
  const next = await run(checkout);
  expect(next.output).toContain("The packages are only half installed. Installing them anew …");
  expect(next.output).toContain("the locked Node runs");
});

test("an installation of other versions begins anew, also when it was killed in between", async () => {
  const checkout = makeCheckout();
  await run(checkout);
  const lock = join(checkout, "package-lock.json");
  const before = readFileSync(lock, "utf8");
  writeFileSync(lock, before.replace("8.0.0", "9.0.0"));
  const { child, ended } = start(checkout, { NPM_TAKES_MS: "60000" });
  await installing(checkout, 2);
  child.kill("SIGKILL");
  await ended;
  writeFileSync(lock, before);
  expect((await run(checkout)).output).toContain("half installed");
});

test("two commands at once install once", async () => {
  const checkout = makeCheckout();
  const both = await Promise.all([run(checkout, { NPM_TAKES_MS: "1500" }), run(checkout, { NPM_TAKES_MS: "1500" })]);
  for (const { output } of both) expect(output).toContain("the locked Node runs");
  expect(both.map(({ output }) => output).join()).toMatch(/Process \d+ is preparing this folder/);
  expect(installations(checkout)).toBe(1);
});

test("a build for this machine that npm left out is missed, and installed by the next command", async () => {
  const checkout = makeCheckout();
  const failed = await run(checkout, { NPM_LEAVES_OUT: "node_modules/builder-here" });
  expect(failed).toMatchObject({ code: 1, output: expect.stringContaining("left out") });
  expect(failed.output).toContain("node_modules/builder-here");
  expect((await run(checkout)).output).toContain("the locked Node runs");
});

test.each([
  ["npm error code ENOSPC", "There is no room on the disk."],
  ["npm error code EACCES", "Does all of this folder belong to you?"],
  ["npm error code ENOTFOUND", "check the network"],
])("what npm says becomes a sentence: %s", async (says, sentence) => {
  const failed = await run(makeCheckout(), { NPM_SAYS: says });
  expect(failed.code).toBe(1);
  expect(failed.output).toContain(sentence);
  expect(failed.output).not.toMatch(/^ {4}at /m);
});

/** Makes the Node that runs say it is another. */
const pretend = (version: string, platform = process.platform) => [
  "--import",
  `data:text/javascript,Object.defineProperty(process.versions,"node",{value:"${version}"});Object.defineProperty(process,"platform",{value:"${platform}"})`,
];

test("an old Node is enough where the lock file has one for the machine", async () => {
  expect((await run(makeCheckout(), {}, pretend("20.19.0"))).output).toContain("the locked Node runs");
});

test("elsewhere the Node that runs is used if it is new enough, else a sentence says which one to install", async () => {
  const { [OWN_NODE]: _, ...others } = WANTED;
  const checkout = makeCheckout(others);
  expect((await run(checkout)).output).toContain("this Node runs --fast");
  for (const version of ["20.20.2", "22.21.0", "23.11.0", "25.2.0"]) {
    const refused = await run(checkout, {}, pretend(version));
    expect(refused).toMatchObject({ code: 1, output: expect.stringContaining("Install Node 24, or 26 or newer") });
  }
});

test("what is too old to install, and Windows, is told so before anything is installed", async () => {
  const checkout = makeCheckout();
  for (const version of ["18.20.0", "20.18.3", "22.11.0"])
    expect((await run(checkout, {}, pretend(version))).output).toContain("Install Node 24, or 26 or newer");
  expect((await run(checkout, {}, pretend("24.0.0", "win32"))).output).toContain("in WSL");
  expect(installations(checkout)).toBe(0);
});

test("a Node that somebody deleted is installed again", async () => {
  const checkout = makeCheckout();
  await run(checkout);
  rmSync(join(checkout, OWN_NODE), { recursive: true });
  expect((await run(checkout)).output).toContain("the locked Node runs");
});

test("no command begins with a Node of node_modules, which may be half installed", () => {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  for (const command of Object.values(scripts))
    expect(command).toMatch(/^"\$npm_node_execpath" scripts\/bootstrap\.mjs /);
});
