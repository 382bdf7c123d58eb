import { eq } from "drizzle-orm";
import type { Statement } from "#app/db/batch.ts";
import { build } from "#app/db/build.ts";
import { listingDays } from "./tables.server.ts";

/** The account is being deleted: the figures of its listings go. */
export function eraseUpkeep(userId: string): Statement {
  return build.delete(listingDays).where(eq(listingDays.sellerId, userId));
}
