import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import { expectOneChange, runBatch, UniqueViolation } from "#app/db/batch.ts";
import { build, insertEach } from "#app/db/build.ts";
import type { Database, Store } from "#app/db/client.ts";
import { campusLocations, meetingPoints } from "#app/db/schema.ts";
import { hoursText } from "#app/meetings/meeting-rules.ts";
import {
  type Admin,
  adminCounts,
  type AdminCounts,
  performAdminAction,
  readAdminCounts,
} from "./admin-pages.server.ts";
import type { PointValues } from "./admin-rules.ts";

export interface PointRow extends PointValues {
  id: string;
  isHidden: boolean;
}

export interface CampusRow {
  /** As text, because it names forms. */
  id: string;
  name: string;
  points: PointRow[];
}

/** How many points a campus can have. Their list is chosen from without a search. */
const POINTS_MAX = 30;

/** Every campus with its meeting points, the hidden ones last. One round trip. */
export async function listCampuses(db: Database): Promise<{ campuses: CampusRow[]; counts: AdminCounts }> {
  const [campuses, points, counts] = await runBatch(db, [
    build.select().from(campusLocations).orderBy(campusLocations.id),
    build.select().from(meetingPoints).orderBy(isNotNull(meetingPoints.hiddenAt), meetingPoints.name),
    adminCounts(),
  ]);
  return {
    campuses: campuses.map((campus) => ({
      id: String(campus.id),
      name: campus.name,
      points: points
        .filter(({ campusId }) => campusId === campus.id)
        .map(({ id, name, opensAt, closesAt, weekdaysOnly, hiddenAt }) => ({
          id,
          name,
          opensAt,
          closesAt,
          weekdaysOnly,
          isHidden: hiddenAt !== null,
        })),
    })),
    counts: readAdminCounts(counts),
  };
}

export type PointResult =
  | { ok: true }
  /** "stale": it has changed since, or the campus doesn't exist or is full. "name_taken": by another point of the campus. */
  | { ok: false; code: "stale" | "name_taken" };

/** Adds a meeting point to a campus. */
export function addPoint(store: Store, admin: Admin, campusId: string, point: PointValues): Promise<PointResult> {
  const id = crypto.randomUUID();
  const others = build.$count(meetingPoints, eq(meetingPoints.campusId, campusLocations.id));
  return write(
    store,
    admin,
    { action: "meeting_point_added", subject: `meeting_point:${id}`, detail: describe(point) },
    [
      insertEach(
        meetingPoints,
        { id, campusId: campusLocations.id, ...columnsOf(point), createdAt: store.now() },
        sql`FROM ${campusLocations} WHERE ${campusLocations.id} = ${Number(campusId)} AND ${others} < ${POINTS_MAX}`,
      ),
      expectOneChange(),
    ],
  );
}

/** Changes a meeting point, if it is still as `seen`. Meetings that are arranged keep the name that both agreed on. */
export function editPoint(
  store: Store,
  admin: Admin,
  id: string,
  { seen, point }: { seen: string; point: PointValues },
): Promise<PointResult> {
  const { name, opensAt, closesAt, weekdaysOnly } = meetingPoints;
  return write(
    store,
    admin,
    { action: "meeting_point_changed", subject: `meeting_point:${id}`, detail: `${seen} → ${describe(point)}` },
    [
      build
        .update(meetingPoints)
        .set(columnsOf(point))
        .where(
          and(
            eq(meetingPoints.id, id),
            sql`${name} || '|' || ${opensAt} || '|' || ${closesAt} || '|' || ${weekdaysOnly} = ${seen}`,
          ),
        ),
      expectOneChange(),
    ],
  );
}

/** Hides a meeting point from new suggestions, or shows it again. */
export function hidePoint(store: Store, admin: Admin, id: string, isHidden: boolean): Promise<PointResult> {
  const { hiddenAt } = meetingPoints;
  const action = isHidden ? "meeting_point_hidden" : "meeting_point_shown";
  return write(store, admin, { action, subject: `meeting_point:${id}` }, [
    build
      .update(meetingPoints)
      .set({ hiddenAt: isHidden ? store.now() : null })
      .where(and(eq(meetingPoints.id, id), isHidden ? isNull(hiddenAt) : isNotNull(hiddenAt))),
    expectOneChange(),
  ]);
}

async function write(...args: Parameters<typeof performAdminAction>): Promise<PointResult> {
  try {
    return (await performAdminAction(...args)) ? { ok: true } : { ok: false, code: "stale" };
  } catch (error) {
    if (error instanceof UniqueViolation) return { ok: false, code: "name_taken" };
    throw error;
  }
}

/** Only these: a form brings more. */
function columnsOf({ name, opensAt, closesAt, weekdaysOnly }: PointValues): PointValues {
  return { name, opensAt, closesAt, weekdaysOnly };
}

function describe(point: PointValues): string {
  return `${point.name}, ${hoursText(point)}`;
}
