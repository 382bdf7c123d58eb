import { and, count, eq, isNull, not, type SQL, sql } from "drizzle-orm";
import { type RowOf, prepareOnce, read } from "#app/db/batch.ts";
import { asJson, build, hasRow, pick } from "#app/db/build.ts";
import type { Database } from "#app/db/client.ts";
import { campusLocations, credentials, endedSessions, profiles } from "./tables.server.ts";
// oxlint-disable-next-line eslint/no-restricted-imports -- each request asks for the numbers in the bars in one row
import { cartItems, wishlistItems } from "#app/basket/tables.server.ts";
// oxlint-disable-next-line eslint/no-restricted-imports -- as above
import { messages } from "#app/messaging/tables.server.ts";
import { unseenOf } from "#app/notifications/seen.server.ts";
import { isProfileComplete } from "#app/accounts/login/account-rules.ts";
import type { AdminRole } from "#app/db/states/admin.ts";
import type { Confirmation, SessionIdentity } from "#app/accounts/login/session.server.ts";

/** The logged-in user as every page knows them. */
export interface Viewer {
  id: string;
  email: string;
  fullName: string;
  phone: string | null;
  /** The number that they asked us to remember for their next payment. */
  payingPhone: string | null;
  campusLocation: string | null;
  /** The names of all campuses, by name: what lists can be limited to. */
  campuses: string[];
  accountType: "student" | "wholesaler";
  isSeller: boolean;
  isPro: boolean;
  /** Null for everybody who is no admin. What they may do now, `adminAccess` says (team/admin-access.ts). */
  adminRole: AdminRole | null;
  confirmed: Confirmation;
  /** If false, the member screens lead to "Complete your profile" first. */
  profileComplete: boolean;
  counts: { cart: number; wishlist: number; unread: number; notifications: number };
  /** Ids of the products in the cart and on the wishlist. */
  basket: { cart: string[]; wishlist: string[] };
}

// The values of a `SessionIdentity`.
const [sessionId, userId, epoch] = [sql.placeholder("id"), sql.placeholder("userId"), sql.placeholder("epoch")];

/** True if a session still logs its user in. KV may know a session for up to a minute after it has ended. */
const IS_ALIVE = and(
  eq(credentials.id, userId),
  eq(credentials.sessionEpoch, epoch),
  isNull(credentials.suspendedAt),
  not(hasRow(endedSessions, eq(endedSessions.id, sessionId))),
);

/** SQL: the ids of the products in the viewer's cart or wishlist. */
function productsIn(list: typeof cartItems | typeof wishlistItems): SQL<string[]> {
  const products = build
    .select({ ids: sql`json_group_array(${list.productId})` })
    .from(list)
    .where(eq(list.userId, userId));
  return asJson<string[]>(sql`${products}`);
}

const CAMPUS_NAMES = build
  .select({ name: campusLocations.name })
  .from(campusLocations)
  .orderBy(sql`${campusLocations.name} COLLATE NOCASE`)
  .as("campus_names");

const UNREAD = build
  .select({ id: messages.id })
  .from(messages)
  // As the index of unread messages says it.
  .where(and(eq(messages.recipientId, userId), sql`${messages.read} = 0`))
  .limit(100)
  .as("unread");

/** Of each request. */
const viewerRow = prepareOnce(
  build
    .select({
      id: credentials.id,
      email: credentials.email,
      ...pick(profiles, "fullName", "phone", "payingPhone", "campusLocation"),
      ...pick(profiles, "accountType", "isSeller", "isPro", "adminRole"),
      campuses: asJson<string[]>(
        sql`${build.select({ names: sql`json_group_array(${CAMPUS_NAMES.name})` }).from(CAMPUS_NAMES)}`,
      ),
      cart: productsIn(cartItems),
      wishlist: productsIn(wishlistItems),
      unread: sql<number>`${build.select({ unread: count() }).from(UNREAD)}`,
      unseen: unseenOf(userId),
    })
    .from(credentials)
    .leftJoin(profiles, eq(profiles.id, credentials.id))
    .where(IS_ALIVE),
);

/**
 * The viewer of a session, in one round trip. Null when the account is deleted or suspended, or the session has ended.
 */
export async function findViewer(db: Database, session: SessionIdentity): Promise<Viewer | null> {
  const [row] = await read(db, viewerRow({ ...session }));
  return row ? toViewer(row, session.confirmed) : null;
}

function toViewer(row: RowOf<ReturnType<typeof viewerRow>>, confirmed: Confirmation): Viewer {
  const { cart, wishlist, unread, unseen, ...person } = row;
  return {
    ...person,
    confirmed,
    fullName: row.fullName ?? "",
    accountType: row.accountType ?? "student",
    isSeller: row.isSeller === true,
    isPro: row.isPro === true,
    profileComplete: isProfileComplete(row),
    counts: { cart: cart.length, wishlist: wishlist.length, unread, notifications: unseen },
    basket: { cart, wishlist },
  };
}

const profileRow = prepareOnce(
  build
    .select({
      id: credentials.id,
      ...pick(profiles, "fullName", "campusLocation", "accountType"),
    })
    .from(credentials)
    .leftJoin(profiles, eq(profiles.id, credentials.id))
    .where(IS_ALIVE),
);

/** Whether the profile of a session's user is complete; null when the session has ended. Reads three rows. */
export async function findSessionProfile(
  db: Database,
  session: Omit<SessionIdentity, "confirmed">,
): Promise<{ profileComplete: boolean } | null> {
  const [row] = await read(db, profileRow({ ...session }));
  return row ? { profileComplete: isProfileComplete(row) } : null;
}
