import { readFileSync } from "node:fs";
import { z } from "zod";

export interface Tally {
  passed: number;
  failed: number;
  /** The titles of tests that passed in a later attempt. */
  flaky?: string[];
  /** What tests counted in their `meta.counted`. */
  counted?: string[];
}

const VitestTest = z.object({ meta: z.object({ counted: z.string().optional() }).optional() });
const VitestReport = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numFailedTestSuites: z.number(),
  testResults: z.array(z.object({ assertionResults: z.array(VitestTest) })),
});

interface Suite {
  specs: { title: string; tests: { projectName: string; status: string }[] }[];
  suites?: Suite[];
}

const PlaywrightSuite: z.ZodType<Suite> = z.object({
  specs: z.array(
    z.object({ title: z.string(), tests: z.array(z.object({ projectName: z.string(), status: z.string() })) }),
  ),
  suites: z.lazy(() => z.array(PlaywrightSuite)).optional(),
});
const PlaywrightReport = z.object({
  stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number() }),
  suites: z.array(PlaywrightSuite),
});

/** Counts the tests of a Vitest JSON report. Files that couldn't be loaded count as failures. */
export function readVitestReport(path: string): Tally {
  const report = VitestReport.parse(JSON.parse(readFileSync(path, "utf8")));
  return {
    passed: report.numPassedTests,
    failed: Math.max(report.numFailedTests, report.numFailedTestSuites > 0 ? 1 : 0),
    counted: report.testResults.flatMap(({ assertionResults }) =>
      assertionResults.flatMap(({ meta }) => meta?.counted ?? []),
    ),
  };
}

/** Counts the tests of a Playwright JSON report. A test that needed a second attempt counts as passed, and is named. */
export function readPlaywrightReport(path: string): Tally {
  const { stats, suites } = PlaywrightReport.parse(JSON.parse(readFileSync(path, "utf8")));
  return { passed: stats.expected + stats.flaky, failed: stats.unexpected, flaky: suites.flatMap(findFlaky) };
}

function findFlaky({ specs, suites = [] }: Suite): string[] {
  const own = specs.flatMap(({ title, tests }) =>
    tests.filter(({ status }) => status === "flaky").map(({ projectName }) => `${title} (${projectName})`),
  );
  return [...own, ...suites.flatMap(findFlaky)];
}
