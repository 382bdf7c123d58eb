/** The campuses of the demo, and of the tests. Their ids are their places, from 1. */
export const CAMPUSES_BY_ID = ["Main Campus", "City Campus", "Parklands Campus", "Westlands Campus"] as const;

/** Sorted, as the filters of a list have them. */
export const CAMPUSES: readonly string[] = [...CAMPUSES_BY_ID].toSorted();
