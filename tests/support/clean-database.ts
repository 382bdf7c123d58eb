/** All files share one worker, which saves its start. Each file starts with an empty database that has all tables. */
import { reset, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { CAMPUSES_BY_ID } from "./campuses.ts";

/**
 * The reset silently skips a database or a Durable Object that is still in use. What the last file asked of the sandbox
 * would then call back in the next file, as calls of strangers.
 */
async function resetStorage(): Promise<void> {
  for (let tries = 0; tries < 50; tries += 1) {
    await reset();
    const table = await env.DB.prepare("SELECT name FROM sqlite_master LIMIT 1").first();
    if (table === null && (await isSandboxEmpty())) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error("The database and the sandbox cannot be emptied.");
}

function isSandboxEmpty(): Promise<boolean> {
  const rows = `SELECT id FROM sandbox_prompts UNION ALL SELECT id FROM sandbox_payouts
    UNION ALL SELECT id FROM sandbox_mails LIMIT 1`;
  return runInDurableObject(
    env.SANDBOX_OBJECT.getByName("sandbox"),
    (_, { storage }) => storage.sql.exec(rows).toArray().length === 0,
  );
}

await resetStorage();
await env.DB.batch(env.TEST_SCHEMA.map((statement) => env.DB.prepare(statement)));
// What every file expects: the demo's campuses.
await env.DB.batch(
  CAMPUSES_BY_ID.map((name, at) =>
    env.DB.prepare("INSERT INTO campus_locations (id, name) VALUES (?, ?)").bind(at + 1, name),
  ),
);
