import { recipientOf } from "#app/accounts/recipient-rules.ts";
import type { Mail, MeetingMailStep } from "#app/platform/mailer.ts";
import type { Statement } from "#app/db/batch.ts";
import { queueEffect } from "#app/db/outbox.ts";
import type { ItemMeeting } from "./find-meeting.server.ts";
import type { Suggestion } from "./meeting-rules.ts";

interface EmailFacts {
  /** Who took the step and needs no email; null for a reminder to both. */
  by: string | null;
  /** Names the step, so that it is emailed once. */
  key: string;
  arranged: Suggestion;
  now: number;
}

/** One email to each side that the step concerns. It names a meeting point, but never quotes a place in somebody's own words. */
export function meetingEmails(
  item: ItemMeeting,
  step: MeetingMailStep,
  { by, key, arranged, now }: EmailFacts,
): Statement[] {
  return (["buyer", "seller"] as const).flatMap((role) => {
    const reader = item[role];
    const to = reader.id === by ? null : recipientOf(reader, "use");
    if (to === null) return [];
    const mail: Mail = {
      to,
      template: "meeting_step",
      data: {
        name: reader.name,
        role,
        step,
        productName: item.productName,
        point: arranged.pointId === null ? null : arranged.place,
        startsAt: arranged.startsAt,
        orderId: item.orderId,
        orderItemId: item.itemId,
      },
    };
    return [queueEffect("mail", `${key}:${role}`, mail, now)];
  });
}
