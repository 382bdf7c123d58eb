/**
 * The worker under test: the app's HTTP part and schedule, its Durable Object, and the sandbox in the same isolate.
 * Pages are assembled from the route table without Vite's build, when a test first requests one.
 */
import { DurableObject, WorkerEntrypoint } from "cloudflare:workers";
import { newMeter } from "#app/db/meter.ts";
import type { Env } from "#workers/env.ts";
import { createHttpApp } from "#workers/http.ts";
import type { Release } from "#workers/installation/release.ts";
import { runSchedule } from "#workers/jobs/schedule.ts";
import sandbox from "#workers/sandbox/sandbox.ts";
import { createServices } from "#workers/services.ts";

export { ListingCounter } from "#workers/counting/listing-counter.ts";
export { UserHub } from "#workers/live/user-hub.ts";
export { SandboxObject } from "#workers/sandbox/sandbox.ts";

/** The target of the binding SANDBOX. */
export class Sandbox extends WorkerEntrypoint<Cloudflare.Env> {
  override fetch(request: Request<unknown, IncomingRequestCfProperties>): Response | Promise<Response> {
    return sandbox.fetch(request, this.env, this.ctx);
  }
}

/** Lends its database to the simulation. */
export class SimulationObject extends DurableObject {}

/** Names like those of a build. */
export const release: Release = {
  version: "test",
  styles: ["/assets/shell-1.css"],
  scripts: ["/assets/entry-1.js", "/assets/shell-1.js"],
};

export const http = createHttpApp(
  async (request, services, info) => {
    const { pages } = await import("./pages.ts");
    return pages(request, services, info);
  },
  async () => release,
);

export default {
  fetch(request, env, ctx) {
    return http.fetch(request, env, ctx);
  },
  async scheduled(_controller, env, ctx) {
    await runSchedule(
      createServices(env, {
        waitUntil: (work) => ctx.waitUntil(work),
        requestId: "test",
        meter: newMeter(),
      }),
    );
  },
} satisfies ExportedHandler<Env>;
