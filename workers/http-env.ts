import type { RequestInfo } from "#app/request/context.ts";
import type { Services } from "#app/request/services.ts";
import type { Env } from "./env.ts";

/** The context of every handler. */
export interface HttpEnv {
  Bindings: Env;
  Variables: { services: Services; info: RequestInfo };
}
