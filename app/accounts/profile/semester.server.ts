import { eq, isNotNull, and } from "drizzle-orm";
import { build } from "#app/db/build.ts";
import { campusLocations, profiles } from "#app/accounts/tables.server.ts";
import { semesterNews, type SemesterNews } from "./semester.ts";

/** The query for the semester of somebody's campus, as `toSemesterNews` reads it. */
export function selectSemester(userId: string) {
  const { name, closesOn, opensOn } = campusLocations;
  return build
    .select({ campus: name, closesOn, opensOn })
    .from(profiles)
    .innerJoin(campusLocations, eq(campusLocations.id, profiles.campusLocationId))
    .where(and(eq(profiles.id, userId), isNotNull(closesOn)));
}

/** What the semester means now; null where nothing is to be told. */
export function toSemesterNews(
  rows: readonly { campus: string; closesOn: string | null; opensOn: string | null }[],
  now: number,
): SemesterNews | null {
  const [row] = rows;
  if (!row || row.closesOn === null || row.opensOn === null) return null;
  return semesterNews(row.campus, { closesOn: row.closesOn, opensOn: row.opensOn }, now);
}
