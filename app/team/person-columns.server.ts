import { eq } from "drizzle-orm";
import { build, pick } from "#app/db/build.ts";
import { credentials, profiles } from "#app/accounts/tables.server.ts";
import { orderItems } from "#app/orders/tables.server.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ITEM } from "#app/db/states/item.ts";

/** How many of a person's deals are counted, so that a big shop doesn't make the page slow. */
export const DEALS_COUNTED = 1000;

/** A person as admins see them, from `credentials` with `profiles`, which may be missing. Times in ms since 1970. */
export const PERSON = {
  id: credentials.id,
  fullName: profiles.fullName,
  email: credentials.email,
  ...pick(profiles, "campusLocation", "isSeller", "adminRole", "verifiedLevel"),
  memberSince: credentials.createdAt,
  suspendedAt: credentials.suspendedAt,
  deletedAt: profiles.deletedAt,
};

/** What a person of `credentials` has sold, up to `DEALS_COUNTED` items. */
export const SOLD = build
  .select({ id: orderItems.id, status: orderItems.status })
  .from(orderItems)
  .where(eq(orderItems.sellerId, credentials.id))
  .limit(DEALS_COUNTED)
  .as("sold");

export const SALES_COMPLETED = build.$count(SOLD, stateIs(SOLD.status, ITEM.isCompleted));
