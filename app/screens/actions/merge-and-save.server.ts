import { retryOnConflict } from "#app/db/batch.ts";

/** How often a form is merged with what others saved at the same moment. */
const TRIES = 3;

/**
 * Does `work`, which merges a form with what is stored now, and saves it only where that is still so. If somebody else
 * was faster, it merges anew.
 */
export function mergeAndSave<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  return retryOnConflict(TRIES, work);
}
