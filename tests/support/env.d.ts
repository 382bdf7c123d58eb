/// <reference types="@cloudflare/vitest-plugin/types" />
import type { D1Migration } from "cloudflare:test";
import type { Env as AppEnv } from "#workers/env.ts";
import type { ListedRoute } from "./pages.ts";
import type { SandboxObject } from "#workers/sandbox/sandbox.ts";

declare global {
  namespace Cloudflare {
    /** What `env` of "cloudflare:workers" holds under test: the app's bindings, the sandbox's object, and the migrations. */
    interface Env extends Omit<AppEnv, "SANDBOX"> {
      SANDBOX: Fetcher;
      /** The app itself, as the sandbox calls it back. */
      APP: Fetcher;
      SANDBOX_OBJECT: DurableObjectNamespace<SandboxObject>;
      TEST_MIGRATIONS: D1Migration[];
      /** The route table, as app/routes.ts exports it. */
      TEST_ROUTES: ListedRoute[];
      /** JSON: which seeds the simulation plays, and whether it tells their story. */
      SIMULATION: string;
    }
  }
}

declare module "vitest" {
  interface TaskMeta {
    /** What a test counted of what it went through; `npm test` prints it. */
    counted?: string;
  }
}
