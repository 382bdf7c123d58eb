import type { Viewer } from "#app/accounts/viewer.server.ts";
import { write } from "#app/db/batch.ts";
import type { Thing } from "#app/notifications/kinds.ts";
import { tellNotified } from "#app/notifications/notify.server.ts";
import { markSeen } from "#app/notifications/seen.server.ts";
import { isPrefetch, isVisit } from "#app/platform/visit-rules.ts";
import type { Services } from "#app/request/services.ts";

/**
 * Somebody has opened the page of these things: after the answer, what they were told about them is marked as read. If
 * that fails, it stays unread. Costs nothing where nothing is unread.
 */
export function seeThings(services: Services, viewer: Viewer, request: Request, things: readonly Thing[]): void {
  if (viewer.counts.notifications > 0 && isVisit(request)) services.defer(see(services, viewer.id, things));
}

/** The same for what the page tells once, in a picture: also where it was open already. */
export function seeMoment(services: Services, viewer: Viewer, request: Request, things: readonly Thing[]): void {
  if (viewer.counts.notifications > 0 && !isPrefetch(request)) services.defer(see(services, viewer.id, things));
}

async function see(services: Services, userId: string, things: readonly Thing[]): Promise<void> {
  const { seen } = await write(services.db, { seen: markSeen(userId, things, services.now()) });
  // The page that is open came with the count of before.
  if (seen.meta.changes > 0) await tellNotified(services, [userId]);
}
