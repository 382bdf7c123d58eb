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

health.get("/", async (c) => {
  const parts = Object.entries(CHECKS) as [Part, (env: Env) => Promise<unknown>][];
  const states = await Promise.all(parts.map(async ([part, check]) => [part, await answers(check(c.env))] as const));
  const down = states.flatMap(([part, ok]) => (ok ? [] : [part]));
  if (down.length > 0) c.get("services").log({ event: "unhealthy", level: "error", down });
  return c.json({ ok: down.length === 0, parts: Object.fromEntries(states) }, down.length === 0 ? 200 : 503);
});

async function answers(check: Promise<unknown>): Promise<boolean> {
  const slow = scheduler.wait(PATIENCE_MS).then(() => false);
  const answered = check.then(
    () => true,
    () => false,
  );
  return Promise.race([answered, slow]);
}
