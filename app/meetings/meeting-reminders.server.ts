import { and, eq, inArray, isNotNull, lte } from "drizzle-orm";
import type { Notifier } from "#app/live/live-events.ts";
import { expectOneChange, tryWrite } from "#app/db/batch.ts";
import { build } from "#app/db/build.ts";
import type { Logging, Store } from "#app/db/client.ts";
import { oneByOne } from "#app/db/one-by-one.ts";
import { meetings, orderItems } from "#app/orders/tables.server.ts";
import { stateIs } from "#app/db/state-is.ts";
import { MEETING } from "#app/db/states/meeting.ts";
import { formatTime } from "#app/ui/dates.ts";
import { findItemMeetings, type ItemMeeting } from "./find-meeting.server.ts";
import { tellMeeting } from "./tell-meeting.server.ts";
import { MINUTE_MS } from "#app/platform/duration-rules.ts";

/** How many reminders one run of the job sends. The next run is a minute later. */
const AT_ONCE = 50;
/** When a reminder of a meeting on hold is looked at again, ms. */
const HOLD_PAUSE_MS = 2 * MINUTE_MS;

type ReminderServices = Store & Logging & { notifier: Notifier };

/**
 * Reminds both sides of the meetings that begin within the hour. Returns how many meetings it reminded of. There is no
 * reminder for a meeting that has begun, or whose item was handed over or given back. That of an item on hold waits,
 * because the hold may end in time. Two runs at once and a stop at any point are safe, and one failure doesn't stop the
 * others.
 */
export async function sendReminders(services: ReminderServices): Promise<number> {
  const now = services.now();
  const reminders = build
    .select({ id: meetings.orderItemId })
    .from(meetings)
    .where(and(isNotNull(meetings.remindAt), lte(meetings.remindAt, now)))
    .orderBy(meetings.remindAt)
    .limit(AT_ONCE);
  const due = await findItemMeetings(services, inArray(orderItems.id, reminders));
  const sent = await oneByOne(
    due,
    (item) => remind(services, item),
    ({ itemId }, error) => services.log({ event: "reminder_failed", level: "error", itemId, error: String(error) }),
  );
  return sent.filter(Boolean).length;
}

/** Whether this run sent the reminder. */
async function remind(services: ReminderServices, item: ItemMeeting): Promise<boolean> {
  const now = services.now();
  const { itemId, orderId, meeting } = item;
  if (!meeting) return false;
  const mayBeDue = item.isOpen && meeting.startsAt > now;
  const isDue = mayBeDue && !item.isOnHold;
  const key = `meeting:${itemId}:${meeting.round}:reminder`;
  const isDone = await tryWrite(services.db, [
    build
      .update(meetings)
      .set({ remindAt: mayBeDue && item.isOnHold ? now + HOLD_PAUSE_MS : null })
      .where(
        and(
          eq(meetings.orderItemId, itemId),
          lte(meetings.remindAt, now),
          eq(meetings.round, meeting.round),
          stateIs(meetings.state, MEETING.isAccepted),
        ),
      ),
    expectOneChange(),
    ...(isDue ? tellMeeting(item, "reminder", { by: null, key, arranged: meeting, now }) : []),
  ]);
  // Another run was faster, or they have just changed it.
  if (!isDone) return false;
  if (!isDue) return false;
  const notice = `Your meeting for ${item.productName} is at ${formatTime(meeting.startsAt)}`;
  await Promise.all(
    [item.buyer, item.seller].map(({ id }) =>
      services.notifier.send(id, { type: "order", orderId, orderItemId: itemId, notice }),
    ),
  );
  return true;
}
