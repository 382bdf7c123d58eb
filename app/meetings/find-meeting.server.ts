import { and, eq, or, type SQL, sql } from "drizzle-orm";
import { partyJson, readParty } from "#app/accounts/party.server.ts";
import type { Party } from "#app/notifications/recipient-rules.ts";
import { textWarning } from "#app/safety/contact-warning-rules.ts";
import type { LiveMeeting } from "#app/live/live-events.ts";
import { type RowOf, read } from "#app/db/batch.ts";
import { asBoolean, build, pick } from "#app/db/build.ts";
import type { Database, Store } from "#app/db/client.ts";
import { meetingPoints } from "#app/accounts/tables.server.ts";
import { meetings, orderItems, orders } from "#app/orders/tables.server.ts";
import { ITEM } from "#app/db/states/item.ts";
import type { Handover } from "#app/db/states/handover.ts";
import type { MeetingState } from "#app/db/states/meeting.ts";
import { meetingJson, readMeeting } from "#app/messaging/conversations/live-meeting.server.ts";
import { isDealOnHold } from "#app/deals/deal-holds.server.ts";
import { selectAskingCampus, selectPoints } from "./meeting-points.server.ts";
import { meetingPlaces, type MeetingPlaces, type Suggestion } from "./meeting-rules.ts";

/** A paid item whose buyer and seller may meet, with what they have arranged. Times in ms since 1970. */
export interface ItemMeeting {
  itemId: string;
  orderId: string;
  productName: string;
  handover: Handover;
  /** Paid and not handed over yet. */
  isOpen: boolean;
  /** Our team is about to end the deal, so nobody is sent to meet. */
  isOnHold: boolean;
  meeting:
    | (Suggestion & {
        /** A guard or a camera is at the point; null for a place in own words. */
        isGuarded: boolean | null;
        proposedBy: string;
        state: MeetingState;
        round: number;
        updatedAt: number;
      })
    | null;
  buyer: Party;
  seller: Party;
}

/** The query for items with what is arranged for them, as `toItemMeeting` reads them. */
function selectItems(condition: SQL | undefined) {
  const { pointId, place, startsAt, proposedBy, state, round, updatedAt } = meetings;
  return build
    .select({
      itemId: orderItems.id,
      ...pick(orderItems, "orderId", "productName", "handover", "status"),
      isOnHold: asBoolean(isDealOnHold(orderItems.id)),
      buyer: partyJson(sql`${orders.userId}`).mapWith(readParty),
      seller: partyJson(sql`${orderItems.sellerId}`).mapWith(readParty),
      pointId,
      place,
      isGuarded: meetingPoints.isGuarded,
      startsAt,
      proposedBy,
      state,
      round,
      updatedAt,
    })
    .from(orderItems)
    .innerJoin(orders, eq(orders.id, orderItems.orderId))
    .leftJoin(meetings, eq(meetings.orderItemId, orderItems.id))
    .leftJoin(meetingPoints, eq(meetingPoints.id, pointId))
    .where(condition);
}

/** The items that match `condition`, which is SQL on items. */
export async function findItemMeetings({ db }: Pick<Store, "db">, condition: SQL): Promise<ItemMeeting[]> {
  const rows = await read(db, selectItems(condition));
  return rows.map(toItemMeeting);
}

export interface FoundItem {
  item: ItemMeeting;
  /** Where they can meet: the points are those of the campuses of the buyer, the seller and the listing. */
  places: MeetingPlaces;
}

/** An item as its buyer or seller arranges to meet for it; null for others. One round trip. */
export async function findItemMeeting(
  { db }: Pick<Store, "db">,
  itemId: string,
  viewerId: string,
): Promise<FoundItem | null> {
  const isItem = eq(orderItems.id, itemId);
  const {
    row: [row],
    points,
    asking: [asking],
  } = await read(db, {
    row: selectItems(and(isItem, or(eq(orders.userId, viewerId), eq(orderItems.sellerId, viewerId)))),
    points: selectPoints(isItem),
    asking: selectAskingCampus(isItem),
  });
  return row ? { item: toItemMeeting(row), places: meetingPlaces(points, asking) } : null;
}

/**
 * The query for the meetings of a buyer's order or of a seller's item, as their pages show them. Send it in a batch.
 */
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
  const isGuarded = meeting.isGuarded === true;
  return withWarning({ itemId, place, isGuarded, startsAt, proposedBy, state, round, isOpen });
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

function toItemMeeting(row: RowOf<ReturnType<typeof selectItems>>): ItemMeeting {
  const { itemId, orderId, productName, handover, status, isOnHold, buyer, seller, ...meeting } = row;
  return {
    itemId,
    orderId,
    productName,
    handover,
    isOpen: ITEM.isMeetable(status),
    isOnHold,
    // Joined from the left: all of its columns have values, or none has.
    meeting: meeting.place === null ? null : (meeting as NonNullable<ItemMeeting["meeting"]>),
    buyer,
    seller,
  };
}
