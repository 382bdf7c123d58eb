import { sql } from "drizzle-orm";
import { expectOneChange, rowsOf, runBatch, UniqueViolation } from "#app/db/batch.ts";
import type { Database, Store } from "#app/db/client.ts";
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
    sql`SELECT id, name FROM campus_locations ORDER BY id`,
    sql`SELECT id, campus_id AS campusId, name, opens_at AS opensAt, closes_at AS closesAt, weekdays_only AS weekdaysOnly, hidden_at AS hiddenAt
      FROM meeting_points ORDER BY hidden_at IS NOT NULL, name`,
    adminCounts(),
  ]);
  const rows = rowsOf<{
    id: string;
    campusId: number;
    name: string;
    opensAt: number;
    closesAt: number;
    weekdaysOnly: number;
    hiddenAt: number | null;
  }>(points);
  return {
    campuses: rowsOf<{ id: number; name: string }>(campuses).map((campus) => ({
      id: String(campus.id),
      name: campus.name,
      points: rows
        .filter(({ campusId }) => campusId === campus.id)
        .map(({ id, name, opensAt, closesAt, weekdaysOnly, hiddenAt }) => ({
          id,
          name,
          opensAt,
          closesAt,
          weekdaysOnly: weekdaysOnly === 1,
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
  return write(
    store,
    admin,
    { action: "meeting_point_added", subject: `meeting_point:${id}`, detail: describe(point) },
    [
      sql`INSERT INTO meeting_points (id, campus_id, name, opens_at, closes_at, weekdays_only, created_at)
      SELECT ${id}, c.id, ${point.name}, ${point.opensAt}, ${point.closesAt}, ${flag(point.weekdaysOnly)}, ${store.now()} FROM campus_locations c
      WHERE c.id = ${Number(campusId)} AND (SELECT COUNT(*) FROM meeting_points WHERE campus_id = c.id) < ${POINTS_MAX}`,
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
  return write(
    store,
    admin,
    { action: "meeting_point_changed", subject: `meeting_point:${id}`, detail: `${seen} → ${describe(point)}` },
    [
      sql`UPDATE meeting_points SET name = ${point.name}, opens_at = ${point.opensAt}, closes_at = ${point.closesAt}, weekdays_only = ${flag(point.weekdaysOnly)}
        WHERE id = ${id} AND name || '|' || opens_at || '|' || closes_at || '|' || weekdays_only = ${seen}`,
      expectOneChange(),
    ],
  );
}

/** Hides a meeting point from new suggestions, or shows it again. */
export function hidePoint(store: Store, admin: Admin, id: string, isHidden: boolean): Promise<PointResult> {
  const action = isHidden ? "meeting_point_hidden" : "meeting_point_shown";
  return write(store, admin, { action, subject: `meeting_point:${id}` }, [
    isHidden
      ? sql`UPDATE meeting_points SET hidden_at = ${store.now()} WHERE id = ${id} AND hidden_at IS NULL`
      : sql`UPDATE meeting_points SET hidden_at = NULL WHERE id = ${id} AND hidden_at IS NOT NULL`,
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

function describe(point: PointValues): string {
  return `${point.name}, ${hoursText(point)}`;
}

function flag(value: boolean): number {
  return value ? 1 : 0;
}
