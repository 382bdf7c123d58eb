/** What is in the outbox, as tests of the server read it. */
import { like, sql } from "drizzle-orm";
import { outbox } from "#app/db/tables.server.ts";
import type { Mail } from "#app/notifications/mailer.ts";
import { db } from "./fixtures.ts";

/** The emails to an address, or only those of a template, oldest first. */
export async function emailsTo(address: string, template?: Mail["template"]): Promise<Mail[]> {
  const rows = await db
    .select({ payload: outbox.payload })
    .from(outbox)
    .orderBy(sql`rowid`);
  return rows
    .map(({ payload }) => JSON.parse(payload) as Mail)
    .filter((mail) => mail.to === address && (template === undefined || mail.template === template));
}

/** The rest of the keys that begin with `start`, in words and sorted: "countered buyer". */
export async function keysAfter(start: string): Promise<string[]> {
  const rows = await db
    .select({ key: outbox.dedupeKey })
    .from(outbox)
    .where(like(outbox.dedupeKey, `${start}%`));
  return rows.map(({ key }) => key.slice(start.length).replaceAll(":", " ")).toSorted();
}
