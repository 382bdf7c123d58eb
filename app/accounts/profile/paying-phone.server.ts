import { and, eq, isNull } from "drizzle-orm";
import type { Store } from "#app/db/client.ts";
import { profiles } from "#app/accounts/tables.server.ts";
import type { Viewer } from "#app/accounts/viewer.server.ts";
import { write } from "#app/db/batch.ts";
import { build } from "#app/db/build.ts";

/**
 * Remembers the number (254XXXXXXXXX) that pays, or forgets it (null), as its owner said at checkout. It never is where
 * money goes: that is `profiles.phone`. Writes nothing where nothing changes.
 */
export async function rememberPayingPhone(
  { db, now }: Store,
  viewer: Pick<Viewer, "id" | "payingPhone">,
  phone: string | null,
): Promise<void> {
  if (phone === viewer.payingPhone) return;
  await write(db, [
    build
      .update(profiles)
      .set({ payingPhone: phone, updatedAt: now() })
      .where(and(eq(profiles.id, viewer.id), isNull(profiles.deletedAt))),
  ]);
}
