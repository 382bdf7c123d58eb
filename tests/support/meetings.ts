/** Meetings for tests. */
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import type { MeetingEvent } from "#app/db/states/meeting.ts";
import { meetingPoints } from "#app/accounts/tables.server.ts";
import { meetings } from "#app/orders/tables.server.ts";
import { meetingDays, type MeetingValues, OTHER_PLACE } from "#app/meetings/meeting-rules.ts";
import { stepMeeting } from "#app/meetings/meetings.server.ts";
import { type Deal, db, servicesAt } from "./fixtures.ts";
import { payDeal } from "./paid-deal.ts";

/** A point that is always open, on the campus of all test users. */
export async function makePoint(name = `Library ${crypto.randomUUID()}`): Promise<string> {
  const id = crypto.randomUUID();
  await db
    .insert(meetingPoints)
    .values({ id, campusId: 1, name, opensAt: 0, closesAt: 24 * 60, createdAt: Date.now() });
  return id;
}

/** A place in own words, at 12:00 in `days` days. */
export function inDays(days: number, change: Partial<MeetingValues> = {}): MeetingValues {
  const day = meetingDays(Date.now())[days] ?? "";
  return { point: OTHER_PLACE, otherPlace: "Hall 6, reception", day, time: "12:00", ...change };
}

export async function readMeetingOf(itemId: string) {
  const [meeting] = await db.select().from(meetings).where(eq(meetings.orderItemId, itemId));
  return meeting ?? null;
}

/** Takes a step in the round that the meeting has now, unless another one is given. */
export async function meet(
  deal: Deal,
  who: "buyer" | "seller",
  step: MeetingEvent,
  { values, round, offsetMs = 0 }: { values?: MeetingValues; round?: number; offsetMs?: number } = {},
) {
  const seen = round ?? (await readMeetingOf(deal.itemId))?.round ?? 0;
  const by = who === "buyer" ? deal.buyerId : deal.sellerId;
  const typed = values ?? (step === "suggested" ? inDays(2) : undefined);
  const result = await stepMeeting(servicesAt(offsetMs), { itemId: deal.itemId, by, step, round: seen, values: typed });
  return result.ok ? "ok" : result.code;
}

/** A paid item for which the seller has suggested a meeting, and the buyer has accepted it. */
export async function acceptedMeeting(values = inDays(2), price?: number): Promise<Deal> {
  const deal = await payDeal({ price });
  await meet(deal, "seller", "suggested", { values });
  await meet(deal, "buyer", "accepted");
  return deal;
}

/** Puts an item into another state, as its deal would. */
export async function setItemStatus(itemId: string, status: string): Promise<void> {
  await env.DB.prepare("UPDATE order_items SET status = ? WHERE id = ?").bind(status, itemId).run();
}
