/// <reference types="@cloudflare/vitest-plugin/types" />

declare namespace Cloudflare {
  /** What `env` of "cloudflare:workers" holds under test: the app's bindings, the sandbox's object, and the migrations. */
  interface Env extends Omit<import("#workers/env.ts").Env, "SANDBOX"> {
    SANDBOX: Fetcher;
    /** The app itself, as the sandbox calls it back. */
    APP: Fetcher;
    DESK: DurableObjectNamespace<import("#workers/sandbox/sandbox.ts").Desk>;
    TEST_MIGRATIONS: import("cloudflare:test").D1Migration[];
  }
}
