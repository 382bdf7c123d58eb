/** On the desk a request, or the job, may come from a time ahead, to see what ends by then. Compiled in outside production only. */
import type { Env } from "./env.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/** The clock of a request: ahead by the days that its header `X-Days-Ahead` gives. @returns undefined where it is the real one. */
export function clockOfRequest(request: Request, env: Env): (() => number) | undefined {
  return clockAhead(env, Number(request.headers.get("X-Days-Ahead")) * DAY_MS);
}

/** The clock of a run of the job: it starts at the time the run was scheduled for. @returns undefined where it is the real one. */
export function clockOfJob({ scheduledTime }: ScheduledController, env: Env): (() => number) | undefined {
  return clockAhead(env, scheduledTime - Date.now());
}

function clockAhead(env: Env, ms: number): (() => number) | undefined {
  if (!__SANDBOX__ || !env.SANDBOX) return undefined;
  return ms > 0 ? () => Date.now() + ms : undefined;
}
