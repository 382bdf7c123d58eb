/**
 * How old M-Pesa's security credential is, the other secrets, and the last copy of the database. Neither Cloudflare nor
 * Safaricom tells: wrangler lists secrets by name and type alone. So the job notes when it first sees another
 * credential, the doctor when it first sees another secret, and `npm run backup` when it made a copy.
 */
import { eq, inArray, ne } from "drizzle-orm";
import { read, write } from "#app/db/batch.ts";
import { build } from "#app/db/build.ts";
import type { Database, Store } from "#app/db/client.ts";
import { operatorDates } from "#app/admin/tables.server.ts";
import { credentialDays, daysSince } from "./alarm-rules.ts";

export interface CredentialServices extends Store {
  /** Names the credential without telling it; null where there is none. */
  credentialHash: string | null;
}

/** The query for what was noted of the credential. */
export function selectCredential() {
  return build.select().from(operatorDates).where(eq(operatorDates.name, "security_credential"));
}

/** Whole days since this credential was first seen; null where it wasn't yet, or there is none. */
export async function readCredentialDays(services: CredentialServices): Promise<number | null> {
  const [noted] = await read(services.db, selectCredential());
  return credentialDays(noted, services.credentialHash, services.now());
}

/** Notes that this credential is in use from now on, unless it is noted already. */
export async function noteCredential(
  { db, now, credentialHash: hash }: CredentialServices,
  noted: { hash: string } | undefined,
): Promise<void> {
  if (hash === null || noted?.hash === hash) return;
  await noteDate(db, { name: "security_credential", hash, since: now() });
}

/**
 * Whole days since each of these secrets was first seen, the named ones as they are now. `prints`: what tells a secret
 * from the one before it, and not what it is. Safe to repeat.
 */
export async function noteSecrets(
  { db, now }: Store,
  prints: ReadonlyMap<string, string>,
): Promise<{ name: string; days: number }[]> {
  const names = [...prints.keys()].map((name) => `secret:${name}` as const);
  if (names.length === 0) return [];
  const since = now();
  const { noted } = await write(db, {
    seen: [...prints].map(([name, hash]) =>
      build
        .insert(operatorDates)
        .values({ name: `secret:${name}`, hash, since })
        .onConflictDoUpdate({
          target: operatorDates.name,
          set: { hash, since },
          setWhere: ne(operatorDates.hash, hash),
        }),
    ),
    noted: build.select().from(operatorDates).where(inArray(operatorDates.name, names)),
  });
  return noted.map((row) => ({ name: row.name.slice("secret:".length), days: daysSince(row.since, since) }));
}

/** Notes that a copy was made now. */
export async function noteCopy({ db, now }: Store): Promise<void> {
  await noteDate(db, { name: "copy", hash: "", since: now() });
}

/** Whole days since the last copy was made; null where none was noted. */
export async function readCopyDays({ db, now }: Store): Promise<number | null> {
  const [copy] = await read(db, build.select().from(operatorDates).where(eq(operatorDates.name, "copy")));
  return copy === undefined ? null : daysSince(copy.since, now());
}

async function noteDate(db: Database, date: typeof operatorDates.$inferInsert): Promise<void> {
  const { hash, since } = date;
  await write(db, [
    build.insert(operatorDates).values(date).onConflictDoUpdate({ target: operatorDates.name, set: { hash, since } }),
  ]);
}
