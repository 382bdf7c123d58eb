/// <reference types="@cloudflare/vitest-plugin/types" />
import type { Env as AppEnv } from "#workers/env.ts";
import type { ReleaseUnderTest } from "#scripts/releases.ts";
import type { ListedRoute } from "./pages.ts";
import type { SandboxObject } from "#workers/sandbox/sandbox.ts";

declare global {
  namespace Cloudflare {
    /**
     * The bindings in `env` of "cloudflare:workers" under test: the app's, the sandbox's object, and the schema.
     */
    interface Env extends Omit<AppEnv, "SANDBOX"> {
      SANDBOX: Fetcher;
      /** The app itself, as the sandbox calls it back. */
      APP: Fetcher;
      /** A second database, which is empty. */
      RESTORED: D1Database;
      SANDBOX_OBJECT: DurableObjectNamespace<SandboxObject>;
      SIMULATION_OBJECT: DurableObjectNamespace;
      /** The statements that make all tables, and what they hold at first. */
      TEST_SCHEMA: string[];
      TEST_RELEASES: readonly ReleaseUnderTest[];
      /** The release that `npm run release` makes; in the tests, empty. */
      RELEASE: string;
      /** The route table from app/routes.ts. */
      TEST_ROUTES: ListedRoute[];
      /** JSON: the seeds that `npm run simulate` plays, and whether it prints their story; null in the tests. */
      SIMULATION: string;
    }
  }
}

declare module "vitest" {
  interface TaskMeta {
    /** What a test counted. `npm test` prints it. */
    counted?: string;
    /** What a test made for a command. */
    kept?: string;
  }
}
