import { sql } from "drizzle-orm";
import type { Statement } from "./batch.ts";

/**
 * Queues an effect in the batch of its cause, so that both happen or neither. The same `dedupeKey` queues once, however
 * often the cause is repeated. `now` in ms.
 */
export function queueEffect(topic: "mail", dedupeKey: string, payload: object, now: number): Statement {
  return sql`INSERT INTO outbox (id, topic, dedupe_key, payload, attempts, available_at, created_at)
    VALUES (${crypto.randomUUID()}, ${topic}, ${dedupeKey}, ${JSON.stringify(payload)}, 0, ${now}, ${now})
    ON CONFLICT (dedupe_key) DO NOTHING`;
}
