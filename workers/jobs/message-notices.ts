import { type NoticeServices, sendDueNotices } from "#app/messaging/message-notices.server.ts";

/** Every minute: tells people of messages that they haven't read. */
export async function runMessageNoticesJob(services: NoticeServices): Promise<void> {
  const told = await sendDueNotices(services);
  if (told > 0) services.log({ event: "message_notices_sent", told });
}
