import { eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { asJson, build, hasRow } from "#app/db/build.ts";
import { meetings, orderItems } from "#app/db/schema.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ITEM } from "#app/db/states/item.ts";
import type { LiveMeeting } from "#app/platform/live-events.ts";

const t = alias(meetings, "t");
const m = alias(orderItems, "m");

/** SQL: the two have suggested a meeting for the item. */
export function meetingSuggested(itemId: SQLWrapper): SQL {
  return hasRow(meetings, eq(meetings.orderItemId, itemId));
}

/** SQL: the meeting of an item as JSON, which `readMeeting` reads; NULL for none. */
export function meetingJson(itemId: SQLWrapper): SQL {
  const isOpen = sql`json(CASE WHEN ${stateIs(m.status, ITEM.isMeetable)} THEN 'true' ELSE 'false' END)`;
  const meeting = sql`json_object('itemId', ${t.orderItemId}, 'place', ${t.place}, 'startsAt', ${t.startsAt}, 'proposedBy', ${t.proposedBy},
    'state', ${t.state}, 'round', ${t.round}, 'isOpen', ${isOpen})`;
  return sql`${build.select({ meeting }).from(t).innerJoin(m, eq(m.id, t.orderItemId)).where(eq(t.orderItemId, itemId))}`;
}

/** The meeting of an item; null for none. */
export function selectMeeting(itemId: SQLWrapper): SQL<LiveMeeting | null> {
  return asJson(meetingJson(itemId));
}

export function readMeeting(json: string): LiveMeeting {
  return JSON.parse(json) as LiveMeeting;
}
