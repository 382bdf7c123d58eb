import { eq } from "drizzle-orm";
import type { Statement } from "#app/db/batch.ts";
import { build } from "#app/db/build.ts";
import { listingChecks, listingDays } from "#app/db/schema.ts";

/** The account is being deleted: nobody asks about its listings any more, and their figures go. */
export function eraseUpkeep(userId: string): Statement[] {
  return [
    build.delete(listingChecks).where(eq(listingChecks.sellerId, userId)),
    build.delete(listingDays).where(eq(listingDays.sellerId, userId)),
  ];
}
