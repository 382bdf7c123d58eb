import { chromium } from "@playwright/test";
import lighthouse from "lighthouse";
import { ensureChromium } from "#scripts/chromium.ts";
import { CommandError } from "#scripts/command.ts";
import { findFreePort } from "#scripts/free-port.ts";
import { percentile } from "./load.ts";

/** Lighthouse's categories, by their column's title. */
const CATEGORIES = {
  performance: "performance",
  access: "accessibility",
  practices: "best-practices",
  search: "seo",
} as const;

export interface Marks {
  /** 0 to 100. */
  performance: number;
  access: number;
  practices: number;
  /**
   * Search engines. Screens for members say on purpose that they may not be listed, so that audit is for visitors'
   * pages.
   */
  search: number;
  /** Largest contentful paint and total blocking time on Lighthouse's throttled phone, ms. */
  largestPaint: number;
  blocked: number;
  /** Cumulative layout shift. */
  shift: number;
  /** Lighthouse's measure of this machine's speed during the run. */
  machine: number;
}

export interface PageMarks {
  /** The median of each figure over the runs that count. */
  median: Marks;
  /** The least and the most blocking time of these runs, ms. */
  blockedRange: [number, number];
  /** Ids of audits that lost points in the last three categories, in any run. */
  faults: string[];
}

interface Run {
  marks: Marks;
  faults: string[];
}

/** How many runs of each page count. */
const RUNS = 5;
/** How often each page is tried, at most. */
const TRIES = 8;

/**
 * Lighthouse simulates a mid-range phone as this machine, four times slower. That is right for a machine of about 1,530
 * (github.com/patrickhulce/lighthouse-cpu-throttling-calculator). A slower one, for example because it is busy,
 * simulates a slower phone.
 */
export const MACHINE_LEAST = 1_500;

/**
 * Runs Lighthouse with a mid-range phone on a slow network, and returns the median of each figure. Runs in which the
 * machine was slow are replaced, unless it stays slow.
 * @param cookie the Cookie header; a visitor's is empty
 * @throws CommandError if Lighthouse could never load the page
 */
export async function markPage(url: string, cookie: string): Promise<PageMarks> {
  const runs: Run[] = [];
  let failure: unknown;
  const fast = () => runs.filter(({ marks }) => marks.machine >= MACHINE_LEAST);
  for (let tries = 0; tries < TRIES && fast().length < RUNS; tries += 1) {
    try {
      runs.push(await withNewBrowser(url, cookie, (port) => runLighthouse(url, port, cookie === "")));
    } catch (error) {
      // Now and then Chromium's trace lacks the beginning.
      failure = error;
    }
  }
  if (runs.length === 0) throw failure;
  const counted = fast().length < RUNS ? runs : fast();
  const sorted = (figure: keyof Marks) => counted.map(({ marks }) => marks[figure]).toSorted((a, b) => a - b);
  const median = (figure: keyof Marks) => percentile(sorted(figure), 0.5);
  return {
    median: {
      performance: median("performance"),
      access: median("access"),
      practices: median("practices"),
      search: median("search"),
      largestPaint: median("largestPaint"),
      blocked: median("blocked"),
      shift: median("shift"),
      machine: median("machine"),
    },
    blockedRange: [Math.min(...sorted("blocked")), Math.max(...sorted("blocked"))],
    faults: [...new Set(counted.flatMap(({ faults }) => faults))],
  };
}

/** A fresh browser with these cookies. An old one would have files in its cache. */
async function withNewBrowser<T>(url: string, cookie: string, look: (port: number) => Promise<T>): Promise<T> {
  const port = await findFreePort();
  const browser = await chromium.launch({
    executablePath: await ensureChromium(),
    args: [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--ignore-certificate-errors",
      `--remote-debugging-port=${port}`,
    ],
  });
  try {
    const session = await browser.newBrowserCDPSession();
    const cookies = cookie
      .split("; ")
      .filter((pair) => pair !== "")
      .map((pair) => ({ url, name: pair.slice(0, pair.indexOf("=")), value: pair.slice(pair.indexOf("=") + 1) }));
    await session.send("Storage.setCookies", { cookies });
    return await look(port);
  } finally {
    await browser.close();
  }
}

async function runLighthouse(url: string, port: number, isListed: boolean): Promise<Run> {
  const result = await lighthouse(url, {
    port,
    logLevel: "error",
    onlyCategories: Object.values(CATEGORIES),
    disableStorageReset: true,
    skipAudits: isListed ? [] : ["is-crawlable"],
  });
  if (result && result.lhr.finalDisplayedUrl !== url)
    throw new CommandError(`Lighthouse was led from ${url} to ${result.lhr.finalDisplayedUrl}.`);
  if (!result || result.lhr.runtimeError)
    throw new CommandError(`Lighthouse could not load ${url}: ${result?.lhr.runtimeError?.message ?? "no result"}`);
  const { categories, audits, environment } = result.lhr;
  const mark = (id: string) => Math.round((categories[id]?.score ?? 0) * 100);
  const value = (id: string) => audits[id]?.numericValue ?? Number.NaN;
  const refs = [CATEGORIES.access, CATEGORIES.practices, CATEGORIES.search].flatMap(
    (id) => categories[id]?.auditRefs ?? [],
  );
  const costly = refs.filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1);
  return {
    marks: {
      performance: mark(CATEGORIES.performance),
      access: mark(CATEGORIES.access),
      practices: mark(CATEGORIES.practices),
      search: mark(CATEGORIES.search),
      largestPaint: value("largest-contentful-paint"),
      blocked: value("total-blocking-time"),
      shift: value("cumulative-layout-shift"),
      machine: environment.benchmarkIndex,
    },
    faults: costly.map(({ id }) => id),
  };
}
