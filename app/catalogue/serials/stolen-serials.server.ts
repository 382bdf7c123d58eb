import { and, desc, eq, exists, gt, lt, not, type SQL, sql } from "drizzle-orm";
import { profiles, uploads } from "#app/accounts/tables.server.ts";
import { attachPhotos, findPhotos } from "#app/catalogue/photos/photos.server.ts";
import { stolenSerials } from "#app/catalogue/tables.server.ts";
import { expectThat, holds, PreconditionFailed, type Statement, UniqueViolation, read, write } from "#app/db/batch.ts";
import { asBoolean, build, hasRow } from "#app/db/build.ts";
import type { Database, Store } from "#app/db/client.ts";
import { takeAllowance } from "#app/db/rate-counters.ts";
import { stateIs } from "#app/db/state-is.ts";
import { VERIFIED } from "#app/db/states/verified.ts";
import { RETENTION } from "#app/platform/retention-rules.ts";
import { PROOF_PHOTOS_MAX, SERIALS_A_DAY, STOLEN_TEXT } from "./serial-limits.ts";
import { readSerial } from "./serial-rules.ts";
import { SERIAL_TEXTS } from "./serial-texts.ts";
import { changeHeld, holdReported, keepSerial, listingsWith, mayLearn, STANDS } from "./serials.server.ts";
import { DAY_MS } from "#app/platform/duration-rules.ts";

type SerialServices = Store & { passwordPepper: string };

/** A report of somebody, as they see it. */
export interface OwnReport {
  id: string;
  ending: string;
  createdAt: number;
  stands: boolean;
}

/** Whether somebody may report a serial number, and what they have reported, the newest first. One round trip. */
export async function openSerials(db: Database, userId: string): Promise<{ mayReport: boolean; reports: OwnReport[] }> {
  const { id, ending, createdAt } = stolenSerials;
  const { person, reports } = await read(db, {
    person: build
      .select({ mayReport: asBoolean(stateIs(profiles.verifiedLevel, VERIFIED.isStudent)) })
      .from(profiles)
      .where(eq(profiles.id, userId)),
    reports: build
      .select({ id, ending, createdAt, stands: asBoolean(STANDS) })
      .from(stolenSerials)
      .where(eq(stolenSerials.reporterId, userId))
      .orderBy(desc(createdAt), id)
      .limit(20),
  });
  return { mayReport: person[0]?.mayReport ?? false, reports };
}

type Asked = { ok: true; isReported: boolean } | { ok: false; code: "serial" | "often"; error?: string };

/** Whether somebody reported this serial number as stolen. The answer names nobody. */
export async function askAboutSerial(services: SerialServices, userId: string, typed: string): Promise<Asked> {
  const reading = readSerial(typed);
  if (!reading.ok) return { ok: false, code: "serial", error: reading.error };
  if (!(await mayLearn(services, userId))) return { ok: false, code: "often" };
  const { hash } = keepSerial(reading.serial, services.passwordPepper);
  const rows = await read(
    services.db,
    build
      .select({ id: stolenSerials.id })
      .from(stolenSerials)
      .where(and(eq(stolenSerials.hash, hash), STANDS))
      .limit(1),
  );
  return { ok: true, isReported: rows.length > 0 };
}

type Reported =
  | { ok: true }
  | { ok: false; code: "serial"; error: string }
  | { ok: false; code: "text" | "photos" | "often" | "unverified" };

/**
 * Reports a serial number as stolen: what is for sale with it is held until our team has looked at it. `photoKeys`:
 * distinct, private. Reported again by the same person it stays as it is. Who took it back can report it a day later.
 */
export async function reportStolen(
  services: SerialServices,
  openCases: Parameters<typeof holdReported>[2],
  input: { userId: string; serial: string; text: string; photoKeys: readonly string[] },
): Promise<Reported> {
  const { userId, photoKeys } = input;
  const reading = readSerial(input.serial);
  if (!reading.ok) return { ok: false, code: "serial", error: reading.error };
  const text = input.text.trim();
  if (text.length < STOLEN_TEXT.min || text.length > STOLEN_TEXT.max) return { ok: false, code: "text" };
  if (photoKeys.length === 0 || photoKeys.length > PROOF_PHOTOS_MAX) return { ok: false, code: "photos" };
  if (!(await findPhotos(services.db, userId, photoKeys, "documents"))) return { ok: false, code: "photos" };
  const allowance = { key: `serials-reported:${userId}`, max: SERIALS_A_DAY.reported, windowMs: DAY_MS };
  if (!(await takeAllowance(services, [allowance]))) return { ok: false, code: "often" };
  const now = services.now();
  const kept = keepSerial(reading.serial, services.passwordPepper);
  const isStudent = hasRow(profiles, and(eq(profiles.id, userId), stateIs(profiles.verifiedLevel, VERIFIED.isStudent)));
  const hasJustEnded = hasRow(
    stolenSerials,
    and(
      eq(stolenSerials.reporterId, userId),
      eq(stolenSerials.hash, kept.hash),
      gt(stolenSerials.endedAt, now - DAY_MS),
    ),
  );
  try {
    await write(services.db, [
      expectThat(isStudent),
      expectThat(not(hasJustEnded)),
      build.insert(stolenSerials).values({
        id: crypto.randomUUID(),
        reporterId: userId,
        ...kept,
        text,
        photos: [...photoKeys],
        createdAt: now,
      }),
      ...attachPhotos(userId, photoKeys, now, "documents"),
      changeHeld(listingsWith(kept.hash), now),
      ...holdReported(listingsWith(kept.hash), now, openCases),
    ]);
    return { ok: true };
  } catch (error) {
    if (error instanceof UniqueViolation) return { ok: true };
    if (error instanceof PreconditionFailed)
      return (await holds(services.db, isStudent))
        ? { ok: false, code: "serial", error: SERIAL_TEXTS.reported_again }
        : { ok: false, code: "unverified" };
    throw error;
  }
}

/** Its reporter has it back. What is held stays held: our team decides that. Safe to repeat. */
export async function takeBack({ db, now }: Store, own: { userId: string; id: string }): Promise<boolean> {
  const { ended } = await write(db, {
    ended: build
      .update(stolenSerials)
      .set({ endedAt: sql`COALESCE(${stolenSerials.endedAt}, ${now()})` })
      .where(and(eq(stolenSerials.reporterId, own.userId), eq(stolenSerials.id, own.id)))
      .returning({ id: stolenSerials.id }),
  });
  return ended.length > 0;
}

/**
 * Deletes reports that ended long ago, and lets go of their proofs, which the sweep of photos deletes. Returns how
 * many.
 */
export async function sweepEndedReports({ db, now }: Store): Promise<number> {
  const isOld = lt(stolenSerials.endedAt, now() - RETENTION.stolen_reports.keptMs);
  const proofs = sql`(SELECT proof.value FROM ${stolenSerials}, json_each(${stolenSerials.photos}) proof
    WHERE ${isOld})`;
  const { deleted } = await write(db, {
    released: build
      .update(uploads)
      .set({ attachedAt: null })
      .where(sql`${uploads.key} IN ${proofs}`),
    deleted: build.delete(stolenSerials).where(isOld),
  });
  return deleted.meta.changes;
}

/** Whoever deletes their account takes their reports with them. */
export function eraseReports(userId: string): Statement {
  return build.delete(stolenSerials).where(eq(stolenSerials.reporterId, userId));
}

/** SQL on `uploads`: a report that its owner sent shows the private photo as a proof. */
export const PROOF_SHOWS_PHOTO: SQL = exists(
  build
    .select({ id: stolenSerials.id })
    .from(stolenSerials)
    .crossJoin(sql`json_each(${stolenSerials.photos}) proof`)
    .where(and(eq(stolenSerials.reporterId, uploads.ownerId), eq(sql`proof.value`, uploads.key))),
);
