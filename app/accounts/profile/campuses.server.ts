import { sql } from "drizzle-orm";
import { read } from "#app/db/batch.ts";
import { build, pick } from "#app/db/build.ts";
import type { Database } from "#app/db/client.ts";
import { campusLocations } from "#app/accounts/tables.server.ts";
import { campusCalled } from "./campus-rules.ts";

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
