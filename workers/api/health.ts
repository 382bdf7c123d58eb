import { Hono } from "hono";
import { z } from "zod";
import { findStops } from "#app/admin/operations/alarms.server.ts";
import type { Database } from "#app/db/client.ts";
import { VERSION } from "#app/platform/version.ts";
import type { Services } from "#app/request/services.ts";
import type { Env } from "#workers/env.ts";
import type { HttpEnv } from "#workers/http-env.ts";
import { endpoint } from "./endpoint.ts";

/**
 * `/api/health`, for a monitor. It reveals nothing but the release, which parts answer, and what stops the money or the
 * emails.
 */
export const health = new Hono<HttpEnv>();

type Part = "database" | "sessions" | "pictures" | "documents" | "live";

/** A part that doesn't answer within this time counts as down, in ms. */
const TIMEOUT_MS = 3_000;

/** Each check reads something that need not exist: the read itself shows that the part answers. */
const CHECKS: Record<Part, (env: Env, db: Database) => Promise<unknown>> = {
  database: async (_, db) => db.$client.prepare("SELECT 1 FROM credentials LIMIT 1").first(),
  sessions: async (env) => env.SESSIONS.get("health"),
  pictures: async (env) => env.MEDIA.head("health"),
  documents: async (env) => env.DOCUMENTS.head("health"),
  live: async (env) => env.USER_HUB.getByName("health").fetch("https://hub/"),
};

/** How long an isolate repeats its last result, ms, because anybody may call this endpoint. */
const FRESH_MS = 5_000;

type HealthReport = { at: number; parts: Record<string, boolean>; why: string[] };
const lastReports = new WeakMap<Env, HealthReport>();

const healthAnswer = z.object({
  ok: z.boolean(),
  version: z.string().meta({ description: "The release that runs" }),
  parts: z.record(z.string(), z.boolean()),
  why: z.array(z.string()).meta({ description: "What is wrong, in words. Empty when all is well." }),
});

health.get(
  "/",
  endpoint({
    id: "checkHealth",
    tag: "Operation",
    summary: "Whether every part answers, the scheduled job runs, and money and emails can leave",
    answers: { 200: healthAnswer, 503: healthAnswer },
  }),
  async (c) => {
    const services = c.get("services");
    const last = lastReports.get(c.env);
    const report = last && Math.abs(services.now() - last.at) < FRESH_MS ? last : await checkParts(c.env, services);
    if (report !== last) {
      lastReports.set(c.env, report);
      if (report.why.length > 0) services.log({ event: "unhealthy", level: "error", why: report.why });
    }
    const { parts, why } = report;
    return c.json({ ok: why.length === 0, version: VERSION, parts, why }, why.length === 0 ? 200 : 503);
  },
);

/** Asks each part whether it answers. */
export async function checkParts(env: Env, services: Services): Promise<HealthReport> {
  const at = services.now();
  const parts = Object.entries(CHECKS) as [Part, (typeof CHECKS)[Part]][];
  const [states, alarms] = await Promise.all([
    Promise.all(parts.map(async ([part, check]) => [part, await answers(check(env, services.db))] as const)),
    // Without the database, `parts` says enough.
    findStops(services).catch(() => []),
  ]);
  const down = states.flatMap(([part, ok]) => (ok ? [] : [`No answer: ${part}`]));
  return { at, parts: Object.fromEntries(states), why: [...down, ...alarms, ...moneySettings(services)] };
}

/** Settings of M-Pesa that can't work, without their values. */
function moneySettings(services: Services): string[] {
  try {
    return services.gateway ? [] : ["M-Pesa is not configured"];
  } catch {
    return ["M-Pesa is not configured"];
  }
}

async function answers(check: Promise<unknown>): Promise<boolean> {
  const slow = scheduler.wait(TIMEOUT_MS).then(() => false);
  const answered = check.then(
    () => true,
    () => false,
  );
  return Promise.race([answered, slow]);
}
