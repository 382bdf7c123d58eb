import { redirect } from "react-router";
import type { Route } from "./+types/notification.ts";
import { openTold, type ToldRow } from "#app/notifications/centre.server.ts";
import { readDigits } from "#app/platform/number-rules.ts";
import { requireViewer, servicesContext } from "#app/request/context.ts";
import { placeOf } from "#app/screens/notifications/centre.server.ts";
import { type Just, withJust } from "#app/ui/feedback/just.ts";
import { NOTIFICATIONS_PATH } from "#app/screens/notifications/notifications-path.ts";

/**
 * Leads from a notification to its place, and marks it as read. It writes before the answer, because the next page
 * shows the count. A browser that only loads it ahead, or repeats it, marks it early, and takes nothing from anybody.
 */
export async function loader({ params, context }: Route.LoaderArgs) {
  const viewer = requireViewer(context);
  const services = context.get(servicesContext);
  const told = await openTold(services, viewer.id, readDigits(params.id) ?? 0);
  if (!told) return redirect(NOTIFICATIONS_PATH);
  const place = await placeOf(services, told, viewer.id);
  const moment = told.isNews ? momentOf(told) : null;
  return redirect(moment ? withJust(place, moment, itemOf(told)) : place);
}

/** Of which item of an order, where the order's page is its place. */
function itemOf(told: ToldRow): string | undefined {
  return told.kind === "deal_outcome" ? told.data.orderItemId : undefined;
}

/** What its place celebrates. It is read by then, so the address says so. */
function momentOf(told: ToldRow): Just | null {
  if (told.kind === "new_sale") return "sold";
  return told.kind === "deal_outcome" && told.data.step === "code_entered" ? "code" : null;
}
