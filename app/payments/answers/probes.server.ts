/**
 * Callbacks that belong to no payment: `npm run doctor` asks M-Pesa for them, or sends one itself, to see that they
 * arrive. Their tokens are known here and nowhere else, so nothing that they report is ever booked.
 */
import { and, eq, gt, isNull, lt } from "drizzle-orm";
import { write } from "#app/db/batch.ts";
import { build } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import { probes } from "#app/payments/tables.server.ts";
import { RETENTION } from "#app/platform/retention-rules.ts";
import { sha256Hex } from "#app/platform/sha256.ts";
import { newCallbackToken } from "#app/payments/payment-services.ts";
import { MINUTE_MS } from "#app/platform/duration-rules.ts";

export type ProbeKind = Exclude<(typeof probes.$inferSelect)["kind"], "visit">;

/** How long a visit of the doctor's may ask for something, ms. */
const VISIT_MS = 30 * MINUTE_MS;

/**
 * Whether this is the secret of a doctor that visits. The doctor has written its hash into the database, so whoever has
 * it may change the database.
 */
export async function isVisit({ db, now }: Store, secret: string): Promise<boolean> {
  const [visit] = await db
    .select({ token: probes.token })
    .from(probes)
    .where(
      and(eq(probes.token, await sha256Hex(secret)), eq(probes.kind, "visit"), gt(probes.startedAt, now() - VISIT_MS)),
    );
  return visit !== undefined;
}

/** Expects a callback. Returns its token. */
export async function startProbe(store: Store, kind: ProbeKind): Promise<string> {
  const token = newCallbackToken();
  await write(store.db, [build.insert(probes).values({ token, kind, startedAt: store.now() })]);
  return token;
}

/** Keeps the first answer to a probe. False for a token that is none. */
export async function keepProbeAnswer(
  store: Store,
  { token, body }: { token: string; body: string },
): Promise<boolean> {
  const { kept } = await write(store.db, {
    kept: build
      .update(probes)
      .set({ answer: body, answeredAt: store.now() })
      .where(and(eq(probes.token, token), isNull(probes.answer))),
  });
  return kept.meta.changes === 1;
}

export async function readProbe({ db }: Store, token: string) {
  const [probe] = await db.select().from(probes).where(eq(probes.token, token));
  return probe ?? null;
}

/** Deletes old probes and visits. Returns how many. */
export async function deleteOldProbes(store: Store): Promise<number> {
  const { deleted } = await write(store.db, {
    deleted: build.delete(probes).where(lt(probes.startedAt, store.now() - RETENTION.probes.keptMs)),
  });
  return deleted.meta.changes;
}
