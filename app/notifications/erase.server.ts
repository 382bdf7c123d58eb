import { eq } from "drizzle-orm";
import type { Statement } from "#app/db/batch.ts";
import { build } from "#app/db/build.ts";
import { gatheredNews, notifications, notificationSettings, pushSubscriptions } from "./tables.server.ts";

/**
 * The account is being deleted: its notifications and what it chose about them go with it, and its devices are told
 * nothing more.
 */
export function eraseNotifications(userId: string): Statement[] {
  return [
    build.delete(notifications).where(eq(notifications.userId, userId)),
    build.delete(gatheredNews).where(eq(gatheredNews.userId, userId)),
    build.delete(notificationSettings).where(eq(notificationSettings.userId, userId)),
    build.delete(pushSubscriptions).where(eq(pushSubscriptions.userId, userId)),
  ];
}
