/** Gathered news, for tests of who is told what. How long it waits is tested in tests/workers/gathered-news.test.ts. */
import { env } from "cloudflare:workers";
import { SAME_LISTING_MS } from "#app/notifications/delivery-rules.ts";
import { tellGathered } from "#app/screens/notifications/tell-gathered.server.ts";
import { servicesAt } from "./fixtures.ts";

/**
 * Tells all that waits, as if it had waited long enough, and lets so much time pass that the same listings may be told
 * again.
 */
export async function tellWaiting(): Promise<void> {
  await env.DB.prepare("UPDATE gathered_news SET due_at = 1, first_at = 1 WHERE count > 0").run();
  await tellGathered(servicesAt());
  await env.DB.prepare(
    `UPDATE gathered_news SET told_at = told_at - ?1,
      told = (SELECT json_group_object(key, value - ?1) FROM json_each(told))`,
  )
    .bind(SAME_LISTING_MS)
    .run();
}
