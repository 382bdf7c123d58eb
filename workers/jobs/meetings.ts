import { type ReminderServices, sendReminders } from "#app/meetings/meeting-reminders.server.ts";

/** Every minute: reminds both sides of meetings that begin within the hour. */
export async function runMeetingsJob(services: ReminderServices): Promise<void> {
  const reminded = await sendReminders(services);
  if (reminded > 0) services.log({ event: "meetings_reminded", reminded });
}
