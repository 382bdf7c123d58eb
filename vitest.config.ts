import { resolve } from "node:path";
import { cloudflareTest } from "@cloudflare/vitest-plugin";
import { kCurrentWorker } from "miniflare";
import { defineConfig } from "vitest/config";
import routes from "./app/routes.ts";
import { makeTemporaryFolder } from "./scripts/folders.ts";
import { readMigrations, statementsOf } from "./scripts/migrations.ts";
import { readReleasesUnderTest } from "./scripts/releases.ts";

// Where Miniflare keeps the databases of a run.
process.env.TMPDIR = makeTemporaryFolder();

/**
 * Nothing in a test may reach the network: the sandbox answers for Safaricom, and a call that goes elsewhere is a
 * mistake.
 */
function refuseOutbound(request: { url: string }): never {
  throw new Error(`A test called out to ${request.url}`);
}

/** A busy machine is slow, not wrong: only what hangs fails by time. */
const TEST_TIMEOUT_MS = 60_000;

export default defineConfig({
  test: {
    reporters: ["default"],
    fsModuleCache: false,
    silent: "passed-only",
    projects: [
      {
        test: {
          name: "rules",
          testTimeout: TEST_TIMEOUT_MS,
          environment: "node",
          // Rules are pure: their files share one process, which takes a third of the time.
          isolate: false,
          include: ["tests/rules/**/*.test.{ts,tsx}"],
          setupFiles: ["./tests/support/fixed-seed.ts"],
        },
      },
      {
        define: { __SANDBOX__: "true", "process.env.NODE_ENV": '"production"' },
        resolve: { alias: { "./password-cost.ts": resolve("workers/sandbox/password-cost.ts") } },
        oxc: { jsx: { runtime: "automatic", development: false } },
        plugins: [
          cloudflareTest({
            main: "./tests/support/worker.ts",
            remoteBindings: false,
            wrangler: { configPath: "./wrangler.toml" },
            miniflare: {
              bindings: {
                TEST_SCHEMA: readMigrations().flatMap(({ sql }) => statementsOf(sql)),
                TEST_RELEASES: readReleasesUnderTest(readMigrations()),
                // The release that `npm run release` makes; in the tests, empty.
                RELEASE: process.env.CHUONI_RELEASE ?? "",
                TEST_ROUTES: JSON.parse(JSON.stringify(routes)),
                SESSION_SECRETS: "test-session-secret",
                PASSWORD_PEPPER: "test-pepper",
                HANDOVER_CODE_KEY: "test-handover-code-key",
                // Tests of payouts need no inspection. Tests of deals set it themselves.
                ESCROW_INSPECTION_HOURS: "0",
                VAPID_PRIVATE_KEY: "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw",
                DARAJA_CONSUMER_KEY: "sandbox-consumer-key",
                DARAJA_CONSUMER_SECRET: "sandbox-consumer-secret",
                DARAJA_PASSKEY: "bfb279f9aa9bdbcf158e97dd71a467cd2e0c893059b10f78e6b72ada1ed2c919",
                DARAJA_SECURITY_CREDENTIAL: "sandbox-security-credential",
                // What `npm run simulate` asks for; in the tests, null.
                SIMULATION: process.env.CHUONI_SIMULATION ?? "null",
                // The sandbox's clock stands still: a test lets its alarm take each next step.
                SANDBOX_PACE: "0",
              },
              // A database that tests make of a copy of DB.
              d1Databases: { RESTORED: "restored" },
              durableObjects: {
                SANDBOX_OBJECT: { className: "SandboxObject", useSQLite: true },
                SIMULATION_OBJECT: { className: "SimulationObject", useSQLite: true },
              },
              serviceBindings: {
                SANDBOX: { name: kCurrentWorker, entrypoint: "Sandbox" },
                APP: kCurrentWorker,
              },
              outboundService: refuseOutbound,
            },
          }),
        ],
        test: {
          name: "workers",
          testTimeout: TEST_TIMEOUT_MS,
          hookTimeout: TEST_TIMEOUT_MS,
          fsModuleCache: false,
          // React as it is deployed. Its development build takes several times as long to render a page.
          env: { NODE_ENV: "production", PROPERTY_SEED: process.env.PROPERTY_SEED ?? "1" },
          include: ["tests/workers/**/*.test.{ts,tsx}"],
          isolate: false,
          setupFiles: ["./tests/support/fixed-seed.ts", "./tests/support/clean-database.ts"],
        },
      },
    ],
  },
});
