import type { MeetingMailStep } from "#app/notifications/kinds.ts";
import { notify } from "#app/notifications/notify.server.ts";
import type { Statement } from "#app/db/batch.ts";
import type { ItemMeeting } from "./find-meeting.server.ts";
import type { Suggestion } from "./meeting-rules.ts";

interface EmailFacts {
  /** Who took the step and needs not be told; null for a reminder to both. */
  by: string | null;
  /** Names the step, so that it is told once. */
  key: string;
  arranged: Suggestion;
  now: number;
}

/**
 * Tells each side that the step concerns. It names a meeting point, but never quotes a place in somebody's own words.
 */
export function tellMeeting(
  item: ItemMeeting,
  step: MeetingMailStep,
  { by, key, arranged, now }: EmailFacts,
): Statement[] {
  return (["buyer", "seller"] as const).flatMap((role) => {
    const reader = item[role];
    if (reader.id === by) return [];
    const data = {
      role,
      step,
      productName: item.productName,
      handover: item.handover,
      point: arranged.pointId === null ? null : arranged.place,
      startsAt: arranged.startsAt,
      orderId: item.orderId,
      orderItemId: item.itemId,
    };
    return notify(reader, { kind: "meeting_step", data }, `${key}:${role}`, now);
  });
}
