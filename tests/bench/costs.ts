/**
 * Measures what each common action uses of everything that Cloudflare charges for. `bill.ts` prices a month of 1,000 to
 * 1,000,000 students with it.
 */
import { setTimeout as pause } from "node:timers/promises";
import { type Browser as Chromium, chromium as playwright } from "@playwright/test";
import { type Meter, newMeter } from "#app/db/meter.ts";
import { ensureChromium } from "#scripts/chromium.ts";
import { CommandError } from "#scripts/command.ts";
import { type Action, listActions, listProduct, runJob, type Stage, takePhoto } from "./actions.ts";
import type { ActionName, ActionUse } from "./bill.ts";
import { withServer } from "./data.ts";
import { Journal } from "./journal.ts";
import { BUYER, logIn, openPage, Phone, SELLER, WITHOUT_PICTURES } from "./people.ts";
import { findWorkerd, readUsage } from "./workerd.ts";

/**
 * How often each action is done. CPU time is read in steps of 10 ms, so that one run alone says nothing. More messages a
 * minute would reach their sender's limit.
 */
const RUNS = 4;
const RUNS_OF_ONE_REQUEST = 20;
/** Runs before those, which aren't counted: the code is compiled, and the browser keeps the files that it will use again. */
const WARM_UP_RUNS = 2;
const WARM_UP_RUNS_OF_ONE_REQUEST = 5;
/** Runs of the job that may be needed for what the demo's data leaves to do. */
const MOST_JOBS = 50;

/** Does each action several times in the data folder, which must be seeded, and says what one of them uses. */
export async function measureCosts(): Promise<Record<ActionName, ActionUse>> {
  const journal = new Journal();
  const chromium = await launchChromium();
  try {
    return await withServer(
      (origin) => measureActions(origin, journal, chromium),
      (message) => journal.note(message),
    );
  } finally {
    await chromium.close();
  }
}

async function measureActions(
  origin: string,
  journal: Journal,
  chromium: Chromium,
): Promise<Record<ActionName, ActionUse>> {
  const site = { origin, onRequest: (method: string, path: string) => journal.sent(method, path) };
  const workerd = await findWorkerd();
  const buyer = await openPage(await logIn(site, BUYER));
  const seller = await openPage(await logIn(site, SELLER));
  const productId = await listProduct(seller.browser, await takePhoto());
  const { text } = await buyer.browser.get(`/product/${productId}`);
  const sellerId = /\/seller\/([0-9a-f-]{36})/.exec(text)?.[1];
  if (!sellerId) throw new CommandError("The seller's product names no seller.");
  const stage: Stage = { site, journal, buyer, seller, sellerId, productId };
  await journal.quiet();
  await finishJobs(stage);
  const phone = await Phone.start(chromium, site, buyer.browser.cookie);
  const sellerPhone = await Phone.start(chromium, site, seller.browser.cookie);
  const actions = await listActions(stage, phone, sellerPhone);
  await journal.quiet();
  const idle = await idleShare(workerd);
  const measured: Partial<Record<ActionName, ActionUse>> = {};
  for (const [name, action] of Object.entries(actions) as [ActionName, Action][]) {
    console.log(`Measuring: ${name}`);
    measured[name] = await measureAction(action, { journal, workerd, idle });
  }
  return measured as Record<ActionName, ActionUse>;
}

/** Runs the job until it has nothing left to do, so that the minute that is measured is a usual one. */
async function finishJobs(stage: Stage): Promise<void> {
  for (let n = 0; n < MOST_JOBS; n += 1) {
    stage.journal.clear();
    await runJob(stage);
    await stage.journal.quiet();
    if (stage.journal.lines === 0) return;
  }
  throw new CommandError(`The job still has something to do after ${MOST_JOBS} runs.`);
}

async function launchChromium(): Promise<Chromium> {
  return playwright.launch({
    executablePath: await ensureChromium(),
    args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", WITHOUT_PICTURES],
  });
}

interface Bench {
  journal: Journal;
  /** Process id. */
  workerd: number;
  /** CPU time that workerd takes by itself, ms a ms. */
  idle: number;
}

async function idleShare(workerd: number): Promise<number> {
  const [cpu, at] = [readUsage(workerd).cpuMs, performance.now()];
  await pause(3_000);
  return (readUsage(workerd).cpuMs - cpu) / (performance.now() - at);
}

async function measureAction(action: Action, bench: Bench): Promise<ActionUse> {
  const runs: Run[] = [];
  if ("ask" in action) {
    const ask = (times: number) => async () => {
      for (let n = 0; n < times; n += 1) await action.ask();
    };
    await measureRun(ask(WARM_UP_RUNS_OF_ONE_REQUEST), bench);
    runs.push(await measureRun(ask(RUNS_OF_ONE_REQUEST), bench));
  } else {
    for (let n = -WARM_UP_RUNS; n < RUNS; n += 1) {
      const ready = await action.prepare();
      const run = await measureRun(() => action.run(ready), bench);
      if (n >= 0) runs.push(run);
    }
  }
  const count = "ask" in action ? RUNS_OF_ONE_REQUEST : RUNS;
  const uses = runs.flatMap((run) => run.uses);
  const sum = (counter: keyof Meter) => uses.reduce((total, { meter }) => total + (meter[counter] ?? 0), 0);
  const counters = Object.keys(newMeter()) as (keyof Meter)[];
  return {
    ...(Object.fromEntries(counters.map((counter) => [counter, sum(counter) / count])) as unknown as Meter),
    requests: uses.length / count,
    logLines: runs.reduce((total, { lines }) => total + lines, 0) / count,
    cpuMs: Math.max(0, runs.reduce((total, { cpuMs }) => total + cpuMs, 0) / count),
  };
}

interface Run extends Pick<Journal, "uses" | "lines"> {
  cpuMs: number;
}

/** What the work uses, with everything that follows from it. */
async function measureRun(work: () => Promise<unknown>, { journal, workerd, idle }: Bench): Promise<Run> {
  await journal.quiet();
  journal.clear();
  const [cpu, at] = [readUsage(workerd).cpuMs, performance.now()];
  await work();
  await journal.quiet();
  const cpuMs = readUsage(workerd).cpuMs - cpu - idle * (performance.now() - at);
  const run = { uses: journal.uses, lines: journal.lines, cpuMs };
  // Later requests go into new lists, so the lists of this run stay as they are.
  journal.clear();
  return run;
}
