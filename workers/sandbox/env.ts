/** Bindings and variables of the sandbox worker, as declared in its `wrangler.toml`. */
import type { SandboxObject } from "./sandbox-object.ts";

export interface SandboxEnv {
  /** The one object, named "sandbox", that holds the whole state of the sandbox. */
  SANDBOX_OBJECT: DurableObjectNamespace<SandboxObject>;
  /** Where the app is for browsers. */
  APP_ORIGIN: string;
  /** If bound, callbacks go through it instead of the network. For tests. */
  APP?: Pick<Fetcher, "fetch">;
  SANDBOX_CONSUMER_KEY?: string;
  SANDBOX_CONSUMER_SECRET?: string;
  SANDBOX_SECURITY_CREDENTIAL?: string;
  /** Multiplies every delay. The default is "1". For "0" see `sandbox-object.ts`. */
  SANDBOX_PACE?: string;
}
