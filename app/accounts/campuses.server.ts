import { sql } from "drizzle-orm";
import type { Database } from "#app/db/client.ts";
import { campusLocations } from "#app/db/schema.ts";

export interface Campus {
  id: number;
  name: string;
}

/** Every campus, sorted by name. */
export async function listCampuses(db: Database): Promise<Campus[]> {
  return db
    .select()
    .from(campusLocations)
    .orderBy(sql`name COLLATE NOCASE`);
}

/** The campus to store: the listed campus with that name and its id, or else the name as it was typed. */
export function matchCampus(
  campuses: readonly Campus[],
  typed: string,
): { campusLocation: string | null; campusLocationId: number | null } {
  const name = typed.trim().replaceAll(/\s+/g, " ");
  const known = campuses.find((campus) => campus.name.toLowerCase() === name.toLowerCase());
  return { campusLocation: known?.name ?? (name || null), campusLocationId: known?.id ?? null };
}
