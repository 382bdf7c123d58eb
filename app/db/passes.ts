import { eq, sql } from "drizzle-orm";
import { build } from "./build.ts";
import { passes } from "./tables.server.ts";

type Pass = typeof passes.$inferSelect;

/** The query of how far a job has come. */
export function placeOf(job: Pass["job"]) {
  return build.select().from(passes).where(eq(passes.job, job));
}

/**
 * For the batch of a part: the job moves on from the place that it read. Changes nothing where another run was faster.
 */
export function moveOn(read: Pass | undefined, next: Pass) {
  return build
    .insert(passes)
    .values(next)
    .onConflictDoUpdate({
      target: passes.job,
      set: next,
      setWhere: sql`(${passes.pass}, ${passes.after}) IS (${read?.pass ?? null}, ${read?.after ?? null})`,
    });
}
