import { readFileSync } from "node:fs";
import { z } from "zod";

export interface Tally {
  passed: number;
  failed: number;
}

const VitestReport = z.object({ numPassedTests: z.number(), numFailedTests: z.number(), numFailedTestSuites: z.number() });
const PlaywrightReport = z.object({ stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number() }) });

/** Counts the tests of a Vitest JSON report; files that could not even be loaded count as failures. */
export function readVitestReport(path: string): Tally {
  const report = VitestReport.parse(JSON.parse(readFileSync(path, "utf8")));
  return { passed: report.numPassedTests, failed: Math.max(report.numFailedTests, report.numFailedTestSuites > 0 ? 1 : 0) };
}

/** Counts the tests of a Playwright JSON report; one that needed a second try passed. */
export function readPlaywrightReport(path: string): Tally {
  const { stats } = PlaywrightReport.parse(JSON.parse(readFileSync(path, "utf8")));
  return { passed: stats.expected + stats.flaky, failed: stats.unexpected };
}
