import { eq, type SQL, sql } from "drizzle-orm";
import { type Party, partyJson, readParty } from "#app/accounts/party.server.ts";
import { textWarning } from "#app/platform/contact-warning-rules.ts";
import type { LiveMeeting } from "#app/platform/live-events.ts";
import { rowOf, rowsOf, runBatch } from "#app/db/batch.ts";
import type { Database, Store } from "#app/db/client.ts";
import { meetings, orderItems } from "#app/db/schema.ts";
import { ITEM, type ItemStatus } from "#app/db/states/item.ts";
import type { MeetingState } from "#app/db/states/meeting.ts";
import { meetingJson, readMeeting } from "#app/messaging/messages.server.ts";
import type { MeetingPoint, Suggestion } from "./meeting-rules.ts";

/** A paid item whose buyer and seller may meet, with what they have arranged. Times in ms since 1970. */
export interface ItemMeeting {
  itemId: string;
  orderId: string;
  productName: string;
  /** Paid and not handed over yet. */
  isOpen: boolean;
  meeting: (Suggestion & { proposedBy: string; state: MeetingState; round: number; updatedAt: number }) | null;
  buyer: Party;
  seller: Party;
}

interface Row {
  itemId: string;
  orderId: string;
  productName: string;
  status: ItemStatus;
  pointId: string | null;
  place: string | null;
  startsAt: number;
  proposedBy: string;
  state: MeetingState;
  round: number;
  updatedAt: number;
  buyer: string;
  seller: string;
}

/** The query of items `i` with their orders `o` and meetings `t`, as `toItemMeeting` reads them. */
function selectItems(condition: SQL): SQL {
  return sql`SELECT i.id AS itemId, i.order_id AS orderId, i.product_name AS productName, i.status,
      t.point_id AS pointId, t.place, t.starts_at AS startsAt, t.proposed_by AS proposedBy, t.state, t.round, t.updated_at AS updatedAt,
      ${partyJson(sql`o.user_id`)} AS buyer, ${partyJson(sql`i.seller_id`)} AS seller
    FROM order_items i JOIN orders o ON o.id = i.order_id LEFT JOIN meetings t ON t.order_item_id = i.id
    WHERE ${condition}`;
}

/** The items that match `condition`, which is SQL on items `i`, orders `o` and meetings `t`. */
export async function findItemMeetings({ db }: Pick<Store, "db">, condition: SQL): Promise<ItemMeeting[]> {
  const rows = await db.all<Row>(selectItems(condition));
  return rows.map(toItemMeeting);
}

export interface FoundItem {
  item: ItemMeeting;
  /** The meeting points that they can choose from, of the campuses of the buyer, the seller and the listing. */
  points: MeetingPoint[];
}

/** An item as its buyer or seller arranges to meet for it; null for others. One round trip. */
export async function findItemMeeting(
  { db }: Pick<Store, "db">,
  itemId: string,
  viewerId: string,
): Promise<FoundItem | null> {
  const [items, points] = await runBatch(db, [
    selectItems(sql`i.id = ${itemId} AND ${viewerId} IN (o.user_id, i.seller_id)`),
    selectPoints(sql`i.id = ${itemId}`),
  ]);
  const row = rowOf<Row>(items);
  return row ? { item: toItemMeeting(row), points: readPoints(points) } : null;
}

/** The query for the meeting points of items; `condition` is SQL on items `i`. `readPoints` reads the result. */
export function selectPoints(condition: SQL): SQL {
  return sql`SELECT p.id, p.name, c.name AS campus, p.opens_at AS opensAt, p.closes_at AS closesAt, p.weekdays_only AS weekdaysOnly
    FROM meeting_points p JOIN campus_locations c ON c.id = p.campus_id
    WHERE p.hidden_at IS NULL AND p.campus_id IN (
      SELECT b.campus_location_id FROM order_items i JOIN orders o ON o.id = i.order_id JOIN profiles b ON b.id IN (o.user_id, i.seller_id) WHERE ${condition}
      UNION SELECT l.id FROM order_items i JOIN products d ON d.id = i.product_id JOIN campus_locations l ON l.name = d.location WHERE ${condition})
    ORDER BY c.id, p.name`;
}

export function readPoints(result: unknown): MeetingPoint[] {
  return rowsOf<Omit<MeetingPoint, "weekdaysOnly"> & { weekdaysOnly: number }>(result).map((row) => ({
    ...row,
    weekdaysOnly: row.weekdaysOnly === 1,
  }));
}

/** The query for the meetings of a buyer's order or of a seller's item, as their pages show them. Send it in a batch. */
export function selectMeetings(db: Database, of: { orderId: string } | { itemId: string }) {
  return db
    .select({
      meeting: meetingJson(sql`${meetings.orderItemId}`)
        .mapWith((json: string) => withWarning(readMeeting(json)))
        .as("meeting") as SQL.Aliased<LiveMeeting>,
    })
    .from(meetings)
    .innerJoin(orderItems, eq(orderItems.id, meetings.orderItemId))
    .where("orderId" in of ? eq(orderItems.orderId, of.orderId) : eq(orderItems.id, of.itemId));
}

/** A meeting as its page shows it; null when nothing is suggested yet. */
export function liveMeetingOf({ itemId, isOpen, meeting }: ItemMeeting): LiveMeeting | null {
  if (!meeting) return null;
  const { place, startsAt, proposedBy, state, round } = meeting;
  return withWarning({ itemId, place, startsAt, proposedBy, state, round, isOpen });
}

function withWarning(meeting: LiveMeeting): LiveMeeting {
  return { ...meeting, warning: textWarning(meeting.place) };
}

/** The page of the order, for its buyer or its seller. */
export function orderPathOf(
  { itemId, orderId, buyer }: Pick<ItemMeeting, "itemId" | "orderId" | "buyer">,
  viewerId: string,
): string {
  return buyer.id === viewerId ? `/orders/${orderId}` : `/seller/orders/${itemId}`;
}

function toItemMeeting(row: Row): ItemMeeting {
  const { itemId, orderId, productName, place, pointId, startsAt, proposedBy, state, round, updatedAt } = row;
  return {
    itemId,
    orderId,
    productName,
    isOpen: ITEM.isMeetable(row.status),
    meeting: place === null ? null : { pointId, place, startsAt, proposedBy, state, round, updatedAt },
    buyer: readParty(row.buyer),
    seller: readParty(row.seller),
  };
}
