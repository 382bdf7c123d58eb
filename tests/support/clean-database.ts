/** All files share one worker, which saves its start. Each file starts with an empty database that has all tables. */
import { applyD1Migrations, reset } from "cloudflare:test";
import { env } from "cloudflare:workers";

/** The reset silently skips a database that is still in use. */
async function resetDatabase(): Promise<void> {
  for (let tries = 0; tries < 10; tries += 1) {
    await reset();
    const left = await env.DB.prepare("SELECT name FROM sqlite_master LIMIT 1").first();
    if (left === null) return;
  }
  throw new Error("The database cannot be emptied.");
}

await resetDatabase();
await applyD1Migrations(env.DB, env.TEST_MIGRATIONS);
