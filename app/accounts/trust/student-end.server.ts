/** The end of a proof that somebody is a student: who is told of it, and whose mark goes. */
import { and, asc, gt, inArray, isNull, lte, type SQL, sql } from "drizzle-orm";
import { afterVerifiedChanged, hasStudentAddress } from "./verified-effects.server.ts";
import { STUDENT_TOLD_MS } from "./student-end-rules.ts";
import { write } from "#app/db/batch.ts";
import { build, idList } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import { stateIs } from "#app/db/state-is.ts";
import { VERIFIED } from "#app/db/states/verified.ts";
import { notifyEach } from "#app/notifications/notify.server.ts";
import { profiles } from "#app/accounts/tables.server.ts";

/** People of each kind in a run. All proofs of a year end at once. */
const MOST = 200;

/**
 * Tells verified students whose proof ends soon, once each, and takes the level from those whose proof has ended. What
 * they have with others goes on. Returns how many it did. A run that was cut off goes on with the next, because whoever
 * was told or has lost the level isn't found any more.
 */
export async function endStudents(store: Store): Promise<number> {
  const now = store.now();
  const { studentUntil, studentToldAt } = profiles;
  const ended = await someStudents(store, lte(studentUntil, now));
  const undated = await someStudents(store, isNull(studentUntil));
  const ending = await someStudents(
    store,
    and(gt(studentUntil, now), lte(studentUntil, now + STUDENT_TOLD_MS), isNull(studentToldAt)),
  );
  const level = [...ended, ...undated];
  // A new proof may come between.
  const isUntold = and(inArray(profiles.id, idList(...ending)), isNull(studentToldAt), gt(studentUntil, now));
  const told = sql`SELECT ${profiles.id} AS userId,
      'student_ending:' || ${profiles.id} || ':' || ${studentUntil} AS key,
      json_object('until', ${studentUntil}, 'byAddress', json(iif(${hasStudentAddress}, 'true', 'false'))) AS data
    FROM ${profiles} WHERE ${isUntold}`;
  if (level.length + ending.length === 0) return 0;
  await write(store.db, [
    ...(level.length > 0 ? afterVerifiedChanged(idList(...level), now) : []),
    ...(ending.length > 0
      ? [...notifyEach("student_ending", told, now), build.update(profiles).set({ studentToldAt: now }).where(isUntold)]
      : []),
  ]);
  return level.length + ending.length;
}

/** The ids of some verified students for whom this holds, the earliest end first. */
async function someStudents({ db }: Store, only: SQL | undefined): Promise<string[]> {
  const rows = await db
    .select({ id: profiles.id })
    .from(profiles)
    .where(and(stateIs(profiles.verifiedLevel, VERIFIED.isStudent), only))
    .orderBy(asc(profiles.studentUntil))
    .limit(MOST);
  return rows.map(({ id }) => id);
}
