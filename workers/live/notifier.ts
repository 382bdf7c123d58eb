import type { Notifier } from "#app/live/live-events.ts";
import type { UserHub } from "./user-hub.ts";

/** Sends live events to users' hubs. A hub that cannot be reached is logged; the caller goes on. */
export function createNotifier(
  hubs: DurableObjectNamespace<UserHub>,
  log: (event: { event: string; error: string }) => void,
): Notifier {
  async function quietly(work: Promise<unknown>): Promise<void> {
    try {
      await work;
    } catch (error) {
      log({ event: "notify_failed", error: String(error) });
    }
  }
  return {
    send: (userId, event) => quietly(hubs.getByName(userId).notify(event)),
    endSessions: (userId, sessionId) => quietly(hubs.getByName(userId).endSessions(sessionId)),
  };
}
