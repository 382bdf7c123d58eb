import { and, eq, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import { read, type Statement } from "#app/db/batch.ts";
import { build, idList, pick } from "#app/db/build.ts";
import type { Database } from "#app/db/client.ts";
import { copyEdited } from "#app/db/copies.ts";
import { campusLocations, profiles } from "#app/accounts/tables.server.ts";
import { campusCalled } from "./campus-rules.ts";
import { PERSON_COPY } from "./person-copy.server.ts";

export interface Campus {
  id: number;
  name: string;
}

/** Every campus, sorted by name. */
export async function listCampuses(db: Database): Promise<Campus[]> {
  const campuses = await read(db, campusRows());
  return campuses;
}

/** The names of all campuses, by name. */
export async function listCampusNames(db: Database): Promise<string[]> {
  return (await listCampuses(db)).map(({ name }) => name);
}

/** The query for every campus, sorted by name. */
export function campusRows() {
  return build
    .select(pick(campusLocations, "id", "name"))
    .from(campusLocations)
    .orderBy(sql`${campusLocations.name} COLLATE NOCASE`);
}

/** The campus to store: the listed campus that is called so and its id, or else the name as it was typed. */
export function matchCampus(
  campuses: readonly Campus[],
  typed: string,
): { campusLocation: string | null; campusLocationId: number | null } {
  const name = typed.trim().replaceAll(/\s+/g, " ");
  const known = campusCalled(campuses, name);
  return { campusLocation: known?.name ?? (name || null), campusLocationId: known?.id ?? null };
}

/** How people have written the campus of this name before it was listed. */
export async function findSpellings(db: Database, name: string): Promise<string[]> {
  const typed = await db
    .selectDistinct({ text: sql<string>`${profiles.campusLocation}` })
    .from(profiles)
    .where(and(isNull(profiles.campusLocationId), isNotNull(profiles.campusLocation)));
  return typed.map(({ text }) => text).filter((text) => campusCalled([{ name }], text) !== null);
}

/** Whoever wrote the campus so is on it from now on. Run it in the batch that adds the campus, after that. */
export function joinNewCampus(name: string, spellings: readonly string[], now: number): Statement[] {
  const wroteIt = and(isNull(profiles.campusLocationId), inArray(profiles.campusLocation, idList(...spellings)));
  const campus = build.select({ id: campusLocations.id }).from(campusLocations).where(eq(campusLocations.name, name));
  return [
    build
      .update(profiles)
      .set({ campusLocation: name, campusLocationId: sql`${campus}`, updatedAt: now })
      .where(wroteIt),
    copyEdited(PERSON_COPY, peopleOfCampus(name), now),
  ];
}

/** SQL: the ids of the people of a listed campus. */
export function peopleOfCampus(name: string) {
  return build
    .select({ id: profiles.id })
    .from(profiles)
    .innerJoin(campusLocations, eq(campusLocations.id, profiles.campusLocationId))
    .where(eq(campusLocations.name, name));
}
