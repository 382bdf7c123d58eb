import { redirect } from "react-router";
import type { Route } from "./+types/notification.ts";
import { openTold } from "#app/notifications/centre.server.ts";
import { readDigits } from "#app/platform/number-rules.ts";
import { requireViewer, servicesContext } from "#app/request/context.ts";
import { placeOf } from "#app/screens/notifications/centre.server.ts";
import { NOTIFICATIONS_PATH } from "#app/screens/notifications/notifications-path.ts";

/**
 * Leads from a notification to its place, and marks it as read. It writes before the answer, because the next page
 * shows the count. A browser that only loads it ahead, or repeats it, marks it early, and takes nothing from anybody.
 */
export async function loader({ params, context }: Route.LoaderArgs) {
  const viewer = requireViewer(context);
  const services = context.get(servicesContext);
  const told = await openTold(services, viewer.id, readDigits(params.id) ?? 0);
  return redirect(told ? await placeOf(services, told, viewer.id) : NOTIFICATIONS_PATH);
}
