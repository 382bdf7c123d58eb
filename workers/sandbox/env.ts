/** Bindings and variables of the sandbox worker, as declared in its `wrangler.toml`. */
import type { Desk } from "./desk.ts";

export interface SandboxEnv {
  /** One object, "desk", holds everything the sandbox knows. */
  DESK: DurableObjectNamespace<Desk>;
  /** Where bound, callbacks go through it instead of the network: for tests. */
  APP?: Pick<Fetcher, "fetch">;
  SANDBOX_CONSUMER_KEY?: string;
  SANDBOX_CONSUMER_SECRET?: string;
  SANDBOX_SECURITY_CREDENTIAL?: string;
  /** Multiplies every delay; "1" unless told, "0": see `desk.ts`. */
  SANDBOX_PACE?: string;
}
