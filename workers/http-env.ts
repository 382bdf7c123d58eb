import type { RequestInfo } from "#app/context.ts";
import type { Services } from "#app/services.ts";
import type { Env } from "./env.ts";

/** What every handler finds in its context. */
export interface HttpEnv {
  Bindings: Env;
  Variables: { services: Services; info: RequestInfo };
}
