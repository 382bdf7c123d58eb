import { data } from "react-router";
import type { Route } from "./+types/meeting-calendar.ts";
import { MEETING } from "#app/db/states/meeting.ts";
import { calendarFile } from "#app/meetings/calendar-rules.ts";
import { findItemMeeting, orderPathOf } from "#app/meetings/find-meeting.server.ts";
import { requireViewer, servicesContext } from "#app/request/context.ts";

/** An accepted meeting as a file for a calendar, for its buyer and its seller. */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  const viewer = requireViewer(context);
  const found = await findItemMeeting(context.get(servicesContext), params.itemId, viewer.id);
  const meeting = found?.item.meeting;
  if (!found || !meeting || !MEETING.isAccepted(meeting.state)) throw data(null, { status: 404 });
  const { item } = found;
  const { origin, host } = new URL(request.url);
  const isBuyer = item.buyer.id === viewer.id;
  const file = calendarFile({
    uid: `meeting-${item.itemId}@${host}`,
    sequence: meeting.round,
    stamp: meeting.updatedAt,
    startsAt: meeting.startsAt,
    title: isBuyer ? `Get ${item.productName}` : `Hand over ${item.productName}`,
    place: meeting.place,
    url: origin + orderPathOf(item, viewer.id),
  });
  return new Response(file, {
    headers: {
      "Content-Type": "text/calendar; charset=utf-8",
      "Content-Disposition": 'attachment; filename="meeting.ics"',
      "Cache-Control": "private, no-store",
    },
  });
}
