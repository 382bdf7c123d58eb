import { itemRow } from "#app/orders/table-rows.server.ts";
import { and, eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { asJson, build, hasRow } from "#app/db/build.ts";
import { meetingPoints } from "#app/accounts/tables.server.ts";
import { meetings } from "#app/orders/tables.server.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ITEM } from "#app/db/states/item.ts";
import type { LiveMeeting } from "#app/live/live-events.ts";

const meetingRow = alias(meetings, "meeting_row");

/** SQL: the two have suggested a meeting for the item. */
export function meetingSuggested(itemId: SQLWrapper): SQL {
  return hasRow(meetings, eq(meetings.orderItemId, itemId));
}

/** SQL: the meeting of an item as JSON, which `readMeeting` reads; NULL for none. */
export function meetingJson(itemId: SQLWrapper): SQL {
  const isOpen = sql`json(CASE WHEN ${stateIs(itemRow.status, ITEM.isMeetable)} THEN 'true' ELSE 'false' END)`;
  const isGuarded = sql`json(CASE WHEN ${hasRow(
    meetingPoints,
    and(eq(meetingPoints.id, meetingRow.pointId), eq(meetingPoints.isGuarded, true)),
  )} THEN 'true' ELSE 'false' END)`;
  const meeting = sql`json_object('itemId', ${meetingRow.orderItemId}, 'place', ${meetingRow.place},
    'startsAt', ${meetingRow.startsAt}, 'proposedBy', ${meetingRow.proposedBy},
    'isGuarded', ${isGuarded}, 'state', ${meetingRow.state}, 'round', ${meetingRow.round}, 'isOpen', ${isOpen})`;
  return sql`${build
    .select({ meeting })
    .from(meetingRow)
    .innerJoin(itemRow, eq(itemRow.id, meetingRow.orderItemId))
    .where(eq(meetingRow.orderItemId, itemId))}`;
}

/** The meeting of an item; null for none. */
export function selectMeeting(itemId: SQLWrapper): SQL<LiveMeeting | null> {
  return asJson(meetingJson(itemId));
}

export function readMeeting(json: string): LiveMeeting {
  return JSON.parse(json) as LiveMeeting;
}
