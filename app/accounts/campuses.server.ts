import { sql } from "drizzle-orm";
import type { Database } from "#app/db/client.ts";
import { campusLocations } from "#app/db/schema.ts";

export interface Campus {
  id: number;
  name: string;
}

/** Every campus by name (accounts spec §3). */
export async function listCampuses(db: Database): Promise<Campus[]> {
  return db
    .select()
    .from(campusLocations)
    .orderBy(sql`name COLLATE NOCASE`);
}

/** What is kept of a typed or chosen campus: the list's own spelling and id where it is one of the list, else as typed. */
export function matchCampus(
  campuses: readonly Campus[],
  typed: string,
): { campusLocation: string | null; campusLocationId: number | null } {
  const name = typed.trim().replaceAll(/\s+/g, " ");
  const known = campuses.find((campus) => campus.name.toLowerCase() === name.toLowerCase());
  return { campusLocation: known?.name ?? (name || null), campusLocationId: known?.id ?? null };
}
