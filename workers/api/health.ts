import { Hono } from "hono";
import type { Env } from "#workers/env.ts";
import type { HttpEnv } from "#workers/http-env.ts";

/** `/api/health`: whether everything the house stands on answers. For a monitor: no names, no numbers, nothing to learn. */
export const health = new Hono<HttpEnv>();

type Part = "database" | "sessions" | "pictures" | "documents" | "live";

/** What does not answer within this time counts as down, ms. */
const PATIENCE_MS = 3_000;

/** Each reads something that need not be there: a read is all it takes to know. */
const CHECKS: Record<Part, (env: Env) => Promise<unknown>> = {
  database: async (env) => env.DB.prepare("SELECT 1 FROM credentials LIMIT 1").first(),
  sessions: async (env) => env.SESSIONS.get("health"),
  pictures: async (env) => env.MEDIA.head("health"),
  documents: async (env) => env.DOCUMENTS.head("health"),
  live: async (env) => env.USER_HUB.getByName("health").fetch("https://hub/"),
};

/** How long an isolate answers with what it saw last, ms: anybody may ask, and asking must not be work. */
const FRESH_MS = 5_000;

type Look = { at: number; parts: Record<string, boolean>; down: string[] };
const lastLooks = new WeakMap<Env, Look>();

health.get("/", async (c) => {
  const services = c.get("services");
  const last = lastLooks.get(c.env);
  const look = last && Math.abs(services.now() - last.at) < FRESH_MS ? last : await lookAround(c.env, services.now());
  if (look !== last) {
    lastLooks.set(c.env, look);
    if (look.down.length > 0) services.log({ event: "unhealthy", level: "error", down: look.down });
  }
  return c.json({ ok: look.down.length === 0, parts: look.parts }, look.down.length === 0 ? 200 : 503);
});

async function lookAround(env: Env, at: number): Promise<Look> {
  const parts = Object.entries(CHECKS) as [Part, (env: Env) => Promise<unknown>][];
  const states = await Promise.all(parts.map(async ([part, check]) => [part, await answers(check(env))] as const));
  return { at, parts: Object.fromEntries(states), down: states.flatMap(([part, ok]) => (ok ? [] : [part])) };
}

async function answers(check: Promise<unknown>): Promise<boolean> {
  const slow = scheduler.wait(PATIENCE_MS).then(() => false);
  const answered = check.then(
    () => true,
    () => false,
  );
  return Promise.race([answered, slow]);
}
