/**
 * How old M-Pesa's security credential is. Neither Cloudflare nor Safaricom tells, so the job notes when it first sees
 * another one.
 */
import { eq } from "drizzle-orm";
import { read, write } from "#app/db/batch.ts";
import { build } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import { secretDates } from "#app/admin/tables.server.ts";
import { credentialDays } from "./alarm-rules.ts";

const NAME = "security_credential";

export interface CredentialServices extends Store {
  /** Names the credential without telling it; null where there is none. */
  credentialHash: string | null;
}

/** The query for what was noted of the credential. */
export function selectCredential() {
  return build.select().from(secretDates).where(eq(secretDates.name, NAME));
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
  const since = now();
  await write(db, [
    build
      .insert(secretDates)
      .values({ name: NAME, hash, since })
      .onConflictDoUpdate({ target: secretDates.name, set: { hash, since } }),
  ]);
}
