import { commitBatch } from "#app/db/batch.ts";
import type { Store } from "#app/db/client.ts";
import { queueEffect } from "#app/db/outbox.ts";
import type { Mail } from "./mailer.ts";

/** Queues an email that belongs to no other change. The same `key` is sent once, however often it is queued. */
export async function queueMail(store: Store, key: string, mail: Mail): Promise<void> {
  await commitBatch(store.db, [queueEffect("mail", key, mail, store.now())]);
}
