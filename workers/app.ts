import { createRequestHandler, RouterContextProvider } from "react-router";
import { newMeter } from "#app/db/meter.ts";
import { JOB_PATIENCE } from "#app/db/patience.ts";
import { type RequestInfo, requestContext, servicesContext } from "#app/request/context.ts";
import type { Services } from "#app/request/services.ts";
import { clockOfJob } from "./local-clock.ts";
import type { Env } from "./env.ts";
import { createHttpApp } from "./http.ts";
import { releaseOf } from "./installation/release.ts";
import { runSchedule } from "./jobs/schedule.ts";
import { log } from "./log.ts";
import { createServices } from "./services.ts";

export { ListingCounter } from "./counting/listing-counter.ts";
export { UserHub } from "./live/user-hub.ts";

const build = () => import("virtual:react-router/server-build");
type Pages = ReturnType<typeof createRequestHandler>;
let released: Pages | undefined;

/**
 * A release has one build, whose routes are prepared once an isolate. In development each change makes another build.
 * The handler is kept, and not its promise: a failed import must be tried again, and no request may wait for the work
 * of another one.
 */
async function reactRouter(): Promise<Pages> {
  if (released) return released;
  const routes = await build();
  const handle = createRequestHandler(import.meta.env.DEV ? build : routes, import.meta.env.MODE);
  if (!import.meta.env.DEV) released = handle;
  return handle;
}

async function pages(request: Request, services: Services, info: RequestInfo): Promise<Response> {
  const context = new RouterContextProvider();
  context.set(servicesContext, services);
  context.set(requestContext, info);
  const handle = await reactRouter();
  return handle(request, context);
}

const http = createHttpApp(pages, async () => releaseOf((await build()).assets));

export default {
  fetch(request, env, ctx) {
    // The local sandbox, which has every such page but that of our components. It is neither bound nor compiled in for
    // production.
    if (__SANDBOX__ && env.SANDBOX && /^\/sandbox(\/(?!components\b)|$)/.test(new URL(request.url).pathname))
      return env.SANDBOX.fetch(request);
    return http.fetch(request, env, ctx);
  },
  async scheduled(controller, env, ctx) {
    const requestId = crypto.randomUUID();
    const waitUntil = (work: Promise<unknown>) => ctx.waitUntil(work);
    const scope = { waitUntil, requestId, meter: newMeter(), patience: JOB_PATIENCE };
    try {
      await runSchedule(createServices(env, scope, clockOfJob(controller, env)));
    } catch (error) {
      log({ event: "schedule_failed", level: "error", requestId, error: String(error) });
      throw error;
    }
  },
} satisfies ExportedHandler<Env>;
