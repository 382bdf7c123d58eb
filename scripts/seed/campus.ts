import { listingDayRows } from "./listing-days.ts";
import { meetingPointRows } from "./meeting-points.ts";
import { notificationRows } from "./notifications.ts";
import { CAMPUSES } from "./people.ts";
import { negotiate } from "./negotiations.ts";
import type { Rows } from "./rows.ts";
import { settlePeople } from "./residents.ts";
import { openShops, type Pictures, type Product, stockProducts } from "./stock.ts";
import { cartsAndReports, conversationMessages, savedSearchRows } from "./user-rows.ts";
import { trade } from "./trade.ts";
import { priceStepsOf } from "./wholesale.ts";

export interface CampusInput {
  /** Ms since 1970: the time of the latest event. */
  now: number;
  /** The password of all accounts. */
  passwordHash: string;
  pictures: Pictures;
}

/** The complete demo campus. The same input gives the same rows. Pure. */
export function buildCampus({
  now,
  passwordHash,
  pictures,
}: CampusInput): Omit<Rows, "products"> & { products: Product[] } {
  const products = stockProducts(now, pictures);
  const traded = trade(now, products);
  const negotiated = negotiate(now, products);
  const lists = cartsAndReports(now, products, traded);
  const messages = [...conversationMessages(now, products), ...traded.messages, ...negotiated.messages].toSorted(
    (one, other) => one.createdAt - other.createdAt,
  );
  return {
    campusLocations: Object.entries(CAMPUSES).map(([id, name]) => ({ id: Number(id), name })),
    meetingPoints: meetingPointRows(now),
    ...settlePeople(now, passwordHash, pictures),
    ...openShops(now, pictures),
    ...lists,
    ...savedSearchRows(now),
    ...traded,
    products,
    priceSteps: priceStepsOf(products),
    offers: negotiated.offers,
    notifications: notificationRows(now, { ...traded, ...lists, products, offers: negotiated.offers }),
    messages,
    listingDays: listingDayRows(now, products, messages),
  };
}
