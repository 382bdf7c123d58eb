/** Bindings and variables of the sandbox worker, as declared in its `wrangler.toml`. */
import type { SandboxObject } from "./sandbox-object.ts";

export interface SandboxEnv {
  /** One object, named "desk", holds everything the sandbox knows. */
  SANDBOX_OBJECT: DurableObjectNamespace<SandboxObject>;
  /** Where bound, callbacks go through it instead of the network: for tests. */
  APP?: Pick<Fetcher, "fetch">;
  SANDBOX_CONSUMER_KEY?: string;
  SANDBOX_CONSUMER_SECRET?: string;
  SANDBOX_SECURITY_CREDENTIAL?: string;
  /** Multiplies every delay; "1" unless told, "0": see `sandbox-object.ts`. */
  SANDBOX_PACE?: string;
}
