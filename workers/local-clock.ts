/** Local clocks that are wrong, to see what happens when a deadline has passed. Not compiled in for production. */
import type { Env } from "./env.ts";
import { DAY_MS } from "#app/platform/duration-rules.ts";

/**
 * A clock that is ahead by the days in the request's `X-Days-Ahead` header, or behind where they are negative;
 * undefined without that header.
 */
export function clockOfRequest(request: Request, env: Env): (() => number) | undefined {
  return clockAhead(env, Number(request.headers.get("X-Days-Ahead")) * DAY_MS);
}

/** A clock that starts at the time for which a run of the job was scheduled; undefined in production. */
export function clockOfJob({ scheduledTime }: ScheduledController, env: Env): (() => number) | undefined {
  return clockAhead(env, Math.max(0, scheduledTime - Date.now()));
}

function clockAhead(env: Env, ms: number): (() => number) | undefined {
  if (!__SANDBOX__ || !env.SANDBOX) return undefined;
  return Math.abs(ms) > 0 ? () => Date.now() + ms : undefined;
}
