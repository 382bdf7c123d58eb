/** Campuses and meeting points as admins edit them: pure rules. */

/** A meeting point as admins edit it. Hours in minutes after midnight in East Africa Time. */
export interface PointValues {
  name: string;
  opensAt: number;
  closesAt: number;
  weekdaysOnly: boolean;
  /** A guard or a camera is there. */
  isGuarded: boolean;
}

/** What an edit form has seen of a point. A change by another admin makes it different. */
export function seenPoint({ name, opensAt, closesAt, weekdaysOnly, isGuarded }: PointValues): string {
  return [name, opensAt, closesAt, weekdaysOnly ? 1 : 0, isGuarded ? 1 : 0].join("|");
}

/** Characters of a campus's name. */
export const CAMPUS_NAME_MAX = 60;

/** Characters of a meeting point's name. */
export const POINT_NAME_MAX = 60;
