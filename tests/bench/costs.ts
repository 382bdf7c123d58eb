/**
 * Measures what each common action uses of everything that Cloudflare charges for. `bill.ts` prices a month of 1,000 to
 * 1,000,000 students with it.
 */
import { setTimeout as pause } from "node:timers/promises";
import { type Browser as Chromium, chromium as playwright } from "@playwright/test";
import { type Meter, newMeter } from "#app/db/meter.ts";
import { ensureChromium } from "#scripts/chromium.ts";
import { Trouble } from "#scripts/command.ts";
import { type Action, listActions, listProduct, runJob, type Stage, takePhoto } from "./actions.ts";
import type { ActionName, ActionUse } from "./bill.ts";
import { withServer } from "./data.ts";
import { Journal } from "./journal.ts";
import { BUYER, logIn, openPage, Phone, SELLER } from "./people.ts";
import { findWorkerd, readUsage } from "./workerd.ts";

/** How often each action is done. CPU time is read in steps of 10 ms, so that one run alone says nothing. */
const RUNS = 3;
const RUNS_OF_ONE_REQUEST = 15;
/** Runs that warm up the code and aren't counted. */
const WARM_UP_RUNS = 1;

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
  if (!sellerId) throw new Trouble("The seller's product names no seller.");
  const stage: Stage = { site, journal, buyer, seller, sellerId, productId };
  await journal.quiet();
  // The first run of the job does what the demo's data leaves to do.
  await runJob(stage);
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

async function launchChromium(): Promise<Chromium> {
  return playwright.launch({
    executablePath: await ensureChromium(),
    args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic"],
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

async function measureAction(action: Action, { journal, workerd, idle }: Bench): Promise<ActionUse> {
  const count = "ask" in action ? RUNS_OF_ONE_REQUEST : RUNS;
  let cpuMs = 0;
  let lines = 0;
  const uses: Journal["uses"] = [];
  for (let n = -WARM_UP_RUNS; n < count; n += 1) {
    const ready = "ask" in action ? null : await action.prepare();
    await journal.quiet();
    journal.clear();
    const [cpu, at] = [readUsage(workerd).cpuMs, performance.now()];
    await ("ask" in action ? action.ask() : action.run(ready));
    await journal.quiet();
    if (n < 0) continue;
    cpuMs += readUsage(workerd).cpuMs - cpu - idle * (performance.now() - at);
    uses.push(...journal.uses);
    lines += journal.lines;
  }
  const sum = (counter: keyof Meter) => uses.reduce((total, { meter }) => total + (meter[counter] ?? 0), 0);
  const counters = Object.keys(newMeter()) as (keyof Meter)[];
  return {
    ...(Object.fromEntries(counters.map((counter) => [counter, sum(counter) / count])) as unknown as Meter),
    requests: uses.length / count,
    logLines: lines / count,
    cpuMs: Math.max(0, cpuMs / count),
  };
}
