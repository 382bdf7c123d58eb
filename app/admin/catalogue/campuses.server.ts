import {
  and,
  eq,
  exists,
  getTableColumns,
  isNotNull,
  isNull,
  lt,
  ne,
  not,
  notExists,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { campusCalled } from "#app/accounts/profile/campus-rules.ts";
import { findSpellings, joinNewCampus, listCampuses, peopleOfCampus } from "#app/accounts/profile/campuses.server.ts";
import { UniqueViolation, expectOneChange, expectThat, holds, read } from "#app/db/batch.ts";
import { asBoolean, build, hasRow, insertEach } from "#app/db/build.ts";
import type { Database, Store } from "#app/db/client.ts";
import { campusLocations, loginIssuers, meetingPoints, profiles } from "#app/accounts/tables.server.ts";
import { moveListings } from "#app/catalogue/selling/listings.server.ts";
import { products } from "#app/catalogue/tables.server.ts";
import { hoursText } from "#app/meetings/meeting-rules.ts";
import { adminCounts, type AdminCounts, readAdminCounts } from "#app/team/admin-pages.server.ts";
import { type Admin, performAdminAction } from "#app/team/perform-act.server.ts";
import { seenSemester, type Semester } from "#app/accounts/profile/semester.ts";
import type { PointValues } from "./meeting-point-rules.ts";

export interface PointRow extends PointValues {
  id: string;
  isHidden: boolean;
}

export interface CampusRow {
  /** As text, because it names forms. */
  id: string;
  name: string;
  points: PointRow[];
  /** The days of its semester; empty where none are set. */
  semester: Semester;
  /** Since when its sellers hand over at meeting points alone, ms since 1970; null where they choose. */
  pointsOnlySince: number | null;
  /** Nobody studies or sells there, and nobody met there, so it can be removed. */
  isUnused: boolean;
}

/** Every page reads their names, and a list to choose from has no search. */
const CAMPUSES_MAX = 50;

/** How many points a campus can have. Their list is chosen from without a search. */
const POINTS_MAX = 30;

/** Every campus with its meeting points, the hidden ones last. One round trip. */
export async function openCampusesPage(db: Database): Promise<{ campuses: CampusRow[]; counts: AdminCounts }> {
  const { campuses, points, counts } = await read(db, {
    campuses: build
      .select({ ...getTableColumns(campusLocations), isUnused: asBoolean(not(IS_USED)) })
      .from(campusLocations)
      .orderBy(campusLocations.id),
    points: build.select().from(meetingPoints).orderBy(isNotNull(meetingPoints.hiddenAt), meetingPoints.name),
    counts: adminCounts(),
  });
  return {
    campuses: campuses.map((campus) => ({
      id: String(campus.id),
      name: campus.name,
      isUnused: campus.isUnused,
      semester: { closesOn: campus.closesOn ?? "", opensOn: campus.opensOn ?? "" },
      pointsOnlySince: campus.pointsOnlySince,
      points: points
        .filter(({ campusId }) => campusId === campus.id)
        .map(({ id, name, opensAt, closesAt, weekdaysOnly, isGuarded, hiddenAt }) => ({
          id,
          name,
          opensAt,
          closesAt,
          weekdaysOnly,
          isGuarded,
          isHidden: hiddenAt !== null,
        })),
    })),
    counts: readAdminCounts(counts),
  };
}

/** SQL on campuses: a profile, a listing, a meeting point or a university's login names it. */
const IS_USED = sql<boolean>`(${or(
  hasRow(profiles, eq(profiles.campusLocationId, campusLocations.id)),
  hasRow(products, eq(products.location, campusLocations.name)),
  hasRow(meetingPoints, eq(meetingPoints.campusId, campusLocations.id)),
  hasRow(loginIssuers, eq(loginIssuers.campusId, campusLocations.id)),
)})`;

/**
 * Adds a campus, with the people who have written it in their profiles. `listed`: one is called so already, in full
 * or in short. `stale`: they are no longer an admin.
 */
export async function addCampus(
  store: Store,
  admin: Admin,
  name: string,
): Promise<{ ok: true } | { ok: false; code: "listed" | "full" | "stale" }> {
  const known = await listCampuses(store.db);
  if (campusCalled(known, name) || known.some((campus) => campus.name === name)) return { ok: false, code: "listed" };
  if (known.length >= CAMPUSES_MAX) return { ok: false, code: "full" };
  const spellings = await findSpellings(store.db, name);
  const now = store.now();
  try {
    const done = await performAdminAction(
      store,
      admin,
      { action: "campus_added", subject: `campus:${name}`, detail: name },
      [
        expectThat(lt(build.$count(campusLocations), CAMPUSES_MAX)),
        build.insert(campusLocations).values({ name }),
        ...joinNewCampus(name, spellings, now),
        ...moveListings(peopleOfCampus(name), name, now),
      ],
    );
    return done ? { ok: true } : { ok: false, code: "stale" };
  } catch (error) {
    if (error instanceof UniqueViolation) return { ok: false, code: "listed" };
    throw error;
  }
}

/** Removes a campus that was added by mistake. `used`: somebody names it since, or it is gone already. */
export async function removeCampus(
  store: Store,
  admin: Admin,
  id: string,
): Promise<{ ok: true } | { ok: false; code: "used" }> {
  const done = await performAdminAction(store, admin, { action: "campus_removed", subject: `campus:${id}` }, [
    build.delete(campusLocations).where(and(eq(campusLocations.id, Number(id)), not(IS_USED))),
    expectOneChange(),
  ]);
  return done ? { ok: true } : { ok: false, code: "used" };
}

/** Sets the days of a campus's semester, if they are still as `seen`, or takes them away. `stale`: they aren't. */
export async function setSemester(
  store: Store,
  admin: Admin,
  id: string,
  { seen, semester }: { seen: string; semester: Semester | null },
): Promise<{ ok: true } | { ok: false; code: "stale" }> {
  const { closesOn, opensOn } = campusLocations;
  const detail = semester === null ? "none" : seenSemester(semester);
  const done = await performAdminAction(store, admin, { action: "semester_set", subject: `campus:${id}`, detail }, [
    build
      .update(campusLocations)
      .set({ closesOn: semester?.closesOn ?? null, opensOn: semester?.opensOn ?? null })
      .where(
        and(
          eq(campusLocations.id, Number(id)),
          sql`COALESCE(${closesOn}, '') || '|' || COALESCE(${opensOn}, '') = ${seen}`,
        ),
      ),
    expectOneChange(),
  ]);
  return done ? { ok: true } : { ok: false, code: "stale" };
}

/**
 * Asks the sellers of a campus to hand over at its meeting points alone, from now on, or lets them choose again. What
 * was ordered before stays as it was. `no_points`: there is none that can be suggested. `stale`: it is so already.
 */
export async function setPointsOnly(
  store: Store,
  admin: Admin,
  id: string,
  isOn: boolean,
): Promise<{ ok: true } | { ok: false; code: "no_points" | "stale" }> {
  const { pointsOnlySince } = campusLocations;
  const points = and(eq(meetingPoints.campusId, Number(id)), isNull(meetingPoints.hiddenAt));
  const action = isOn ? "points_only_set" : "points_only_ended";
  const done = await performAdminAction(store, admin, { action, subject: `campus:${id}` }, [
    ...(isOn ? [expectThat(hasRow(meetingPoints, points))] : []),
    build
      .update(campusLocations)
      .set({ pointsOnlySince: isOn ? store.now() : null })
      .where(and(eq(campusLocations.id, Number(id)), isOn ? isNull(pointsOnlySince) : isNotNull(pointsOnlySince))),
    expectOneChange(),
  ]);
  if (done) return { ok: true };
  const hasNone = isOn && !(await holds(store.db, hasRow(meetingPoints, points)));
  return { ok: false, code: hasNone ? "no_points" : "stale" };
}

export type PointResult =
  | { ok: true }
  /**
   * "stale": it has changed since, or the campus doesn't exist or is full. "name_taken": by another point of the
   * campus. "last_point": its campus asks for its points alone, and has no other.
   */
  | { ok: false; code: "stale" | "name_taken" | "last_point" };

/** Adds a meeting point to a campus. */
export function addPoint(store: Store, admin: Admin, campusId: string, point: PointValues): Promise<PointResult> {
  const id = crypto.randomUUID();
  const others = build.$count(meetingPoints, eq(meetingPoints.campusId, campusLocations.id));
  return writePoint(
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
  const { name, opensAt, closesAt, weekdaysOnly, isGuarded } = meetingPoints;
  return writePoint(
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
            sql`concat_ws('|', ${name}, ${opensAt}, ${closesAt}, ${weekdaysOnly}, ${isGuarded}) = ${seen}`,
          ),
        ),
      expectOneChange(),
    ],
  );
}

/** Hides a meeting point from new suggestions, or shows it again. */
export async function hidePoint(store: Store, admin: Admin, id: string, isHidden: boolean): Promise<PointResult> {
  const { hiddenAt } = meetingPoints;
  const action = isHidden ? "meeting_point_hidden" : "meeting_point_shown";
  const result = await writePoint(store, admin, { action, subject: `meeting_point:${id}` }, [
    ...(isHidden ? [expectThat(not(isLastAskedFor(id)))] : []),
    build
      .update(meetingPoints)
      .set({ hiddenAt: isHidden ? store.now() : null })
      .where(and(eq(meetingPoints.id, id), isHidden ? isNull(hiddenAt) : isNotNull(hiddenAt))),
    expectOneChange(),
  ]);
  return !result.ok && isHidden && (await holds(store.db, isLastAskedFor(id)))
    ? { ok: false, code: "last_point" }
    : result;
}

/** SQL: the campus of this point asks for its points alone, and no other can be suggested there. */
function isLastAskedFor(id: string): SQL {
  const other = alias(meetingPoints, "other_point");
  const others = build
    .select({ id: other.id })
    .from(other)
    .where(and(eq(other.campusId, meetingPoints.campusId), ne(other.id, meetingPoints.id), isNull(other.hiddenAt)));
  const asking = build
    .select({ id: meetingPoints.id })
    .from(meetingPoints)
    .innerJoin(campusLocations, eq(campusLocations.id, meetingPoints.campusId))
    .where(and(eq(meetingPoints.id, id), isNotNull(campusLocations.pointsOnlySince), notExists(others)));
  return exists(asking);
}

async function writePoint(...args: Parameters<typeof performAdminAction>): Promise<PointResult> {
  try {
    return (await performAdminAction(...args)) ? { ok: true } : { ok: false, code: "stale" };
  } catch (error) {
    if (error instanceof UniqueViolation) return { ok: false, code: "name_taken" };
    throw error;
  }
}

/** Only these: a form brings more. */
function columnsOf({ name, opensAt, closesAt, weekdaysOnly, isGuarded }: PointValues): PointValues {
  return { name, opensAt, closesAt, weekdaysOnly, isGuarded };
}

function describe(point: PointValues): string {
  return `${point.name}, ${hoursText(point)}${point.isGuarded ? ", guarded" : ""}`;
}
