/**
 * `npm run bench`: how fast the built app answers in workerd, at several sizes of catalogue. Prints a table; asserts
 * nothing.
 *
 * npm run bench -- --sizes 1000,10000 --seconds 5 npm run bench -- --sizes 1000 --lighthouse npm run bench -- --sizes
 * 1000 --ledger 10000,1000000 npm run bench -- --sizes 1000 --first-visit
 *
 * These options measure something else instead. Those without `--sizes` ignore it:
 *
 * npm run bench -- --weights npm run bench -- --sizes 1000 --live npm run bench -- --sizes 1000 --notifications 10000
 * npm run bench -- --sizes 1000 --saved npm run bench -- --sizes 1000 --hydrogen FOLDER npm run bench -- --sizes 1000
 * --peer http://localhost:9180/collections/all --page /studentmarketplace
 *
 * With `--peer`, `--peer-cookie` is the Cookie header for the other server, and `--peer-pid` the process whose CPU time
 * counts where the one that listens on its port isn't the right one.
 */
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { ensureLocalBuild } from "#scripts/build.ts";
import { runMain, CommandError } from "#scripts/command.ts";
import { ensureSecrets } from "#scripts/secrets.ts";
import { type BooksMeasure, measureBooks, printBooks } from "./books.ts";
import { measureCatalogue, printCatalogue, type Row } from "./catalogue.ts";
import { prepare, prepareCopy, withServer } from "./data.ts";
import { serveHydrogen } from "./hydrogen.ts";
import { measureLive, printLive } from "./live.ts";
import { type CentreMeasure, measureCentre, printCentre } from "./notifications.ts";
import { measureOrders, printOrders } from "./orders.ts";
import { measurePayments, printPayments } from "./payments.ts";
import { comparePeers, findListener, measureBeside, readPeer } from "./peer.ts";
import { FEED } from "./people.ts";
import { printLines } from "./table.ts";
import { measureSaved, printSaved } from "./saved.ts";
import { printWeights } from "./weights.ts";

/** Products of the runs that have one size. */
const USUAL_SIZE = 1000;

function readOptions() {
  const { values } = parseArgs({
    options: {
      sizes: { type: "string", default: "1000,10000,100000" },
      ledger: { type: "string", default: "10000" },
      seconds: { type: "string", default: "5" },
      lighthouse: { type: "boolean", default: false },
      "first-visit": { type: "boolean", default: false },
      live: { type: "boolean", default: false },
      saved: { type: "boolean", default: false },
      weights: { type: "boolean", default: false },
      notifications: { type: "string" },
      peer: { type: "string" },
      "peer-cookie": { type: "string", default: "" },
      "peer-pid": { type: "string" },
      hydrogen: { type: "string" },
      page: { type: "string", default: FEED },
    },
  });
  const sizes = readSizes(values.sizes, "sizes");
  return {
    ...values,
    sizes,
    size: sizes[0] ?? USUAL_SIZE,
    ledgers: readSizes(values.ledger, "ledger"),
    milliseconds: Math.min(60, Math.max(1, Number(values.seconds) || 5)) * 1000,
    peer: values.peer === undefined ? undefined : readPeer(values.peer),
  };
}

type Options = ReturnType<typeof readOptions>;

/** The whole numbers of a comma-separated list. */
function readSizes(list: string, option: string): number[] {
  const sizes = list.split(",").map(Number);
  if (sizes.some((size) => !Number.isInteger(size) || size < 1 || size > 1_000_000))
    throw new CommandError(`--${option} takes whole numbers up to 1000000, with commas between.`);
  return sizes;
}

/** A data folder for each length of the ledger. */
async function measureLedgers(lengths: number[]): Promise<BooksMeasure[]> {
  const measures: BooksMeasure[] = [];
  for (const entries of lengths) {
    await prepare(1000, `ledger-${entries}`);
    measures.push(await measureBooks(entries));
  }
  return measures;
}

/** A copy of the data for each number of notifications. */
async function measureCentres(size: number, numbers: number[], milliseconds: number): Promise<CentreMeasure[]> {
  const measures: CentreMeasure[] = [];
  for (const notifications of numbers) {
    await prepareCopy(size);
    measures.push(await measureCentre(notifications, milliseconds));
  }
  return measures;
}

/** What the run is, by the option that asks for it. */
const RUNS = {
  weights: async () => printWeights(),
  live: async ({ size, milliseconds }) => {
    printLive(await measureLive(milliseconds));
    await prepareCopy(size);
    printPayments(await measurePayments());
  },
  notifications: async ({ size, milliseconds, notifications }) =>
    printCentre(await measureCentres(size, readSizes(notifications ?? "", "notifications"), milliseconds)),
  saved: async ({ size }) => {
    await prepareCopy(size);
    printSaved(await measureSaved());
  },
  hydrogen: async (options) => runBeside(await serveHydrogen(options.hydrogen ?? ""), options),
  peer: async (options) => {
    if (options.peer) await runBeside(options.peer, options);
  },
} satisfies Partial<Record<keyof Options, (options: Options) => Promise<void>>>;

async function runBeside(url: URL, options: Options): Promise<void> {
  const pid = Number(options["peer-pid"]) || findListener(Number(url.port) || 80);
  const peer = { url, cookie: options["peer-cookie"], pid };
  await prepareCopy(options.size);
  const rows = await withServer((origin) => measureBeside(origin, peer, options.page, options.milliseconds));
  printLines(comparePeers(rows));
}

/** The run without one of those options. */
async function runAll(options: Options): Promise<void> {
  const { milliseconds, lighthouse, "first-visit": firstVisitOnly } = options;
  const rows: Row[] = [];
  for (const size of options.sizes)
    rows.push(...(await measureCatalogue(size, { milliseconds, lighthouse, firstVisitOnly })));
  if (firstVisitOnly) return;
  printCatalogue(rows);
  printLive(await measureLive(milliseconds));
  await prepareCopy(options.size);
  printOrders(await measureOrders());
  printPayments(await measurePayments());
  printBooks(await measureLedgers(options.ledgers));
  printCentre(await measureCentres(options.size, [100, 10_000], milliseconds));
}

await runMain(async () => {
  const options = readOptions();
  ensureSecrets();
  await ensureLocalBuild((line) => console.log(line));
  console.log(`workerd on ${cpus().length} cores of ${cpus()[0]?.model.trim() ?? "an unknown processor"}\n`);
  const asked = (Object.keys(RUNS) as (keyof typeof RUNS)[]).find((option) => options[option]);
  await (asked ? RUNS[asked] : runAll)(options);
  process.exit(0);
});
