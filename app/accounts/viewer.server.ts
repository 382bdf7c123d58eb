import { sql } from "drizzle-orm";
import { type Read, rowOf, runBatch, type Statement } from "#app/db/batch.ts";
import type { Database } from "#app/db/client.ts";
import { isProfileComplete } from "./account-rules.ts";
import type { SessionIdentity } from "./session.server.ts";

/** The logged-in user as every page knows them. */
export interface Viewer {
  id: string;
  email: string;
  fullName: string;
  phone: string | null;
  campusLocation: string | null;
  accountType: "student" | "wholesaler";
  isSeller: boolean;
  isPro: boolean;
  isAdmin: boolean;
  /** If false, the member screens lead to "Complete your profile" first. */
  profileComplete: boolean;
  counts: { cart: number; wishlist: number; unread: number };
  /** Ids of the products in the cart and on the wishlist. */
  basket: { cart: string[]; wishlist: string[] };
}

/** True if a session still logs its user in. KV may know a session for up to a minute after it has ended. */
function isAlive({ id, userId, epoch }: SessionIdentity) {
  return sql`c.id = ${userId} AND c.session_epoch = ${epoch} AND c.suspended_at IS NULL
    AND NOT EXISTS (SELECT 1 FROM ended_sessions WHERE id = ${id})`;
}

interface ViewerRow {
  id: string;
  email: string;
  fullName: string | null;
  phone: string | null;
  campusLocation: string | null;
  accountType: "student" | "wholesaler" | null;
  isSeller: number | null;
  isPro: number | null;
  isAdmin: number | null;
  cart: string;
  wishlist: string;
  unread: number;
}

function viewerRow(session: SessionIdentity) {
  return sql`SELECT c.id, c.email, p.full_name AS fullName, p.phone, p.campus_location AS campusLocation, p.account_type AS accountType,
      p.is_seller AS isSeller,
      p.is_pro AS isPro, p.is_admin AS isAdmin,
      (SELECT json_group_array(product_id) FROM cart_items WHERE user_id = c.id) AS cart,
      (SELECT json_group_array(product_id) FROM wishlist_items WHERE user_id = c.id) AS wishlist,
      (SELECT COUNT(*) FROM (SELECT 1 FROM messages WHERE recipient_id = c.id AND read = 0 LIMIT 100)) AS unread
    FROM credentials c LEFT JOIN profiles p ON p.id = c.id
    WHERE ${isAlive(session)}`;
}

/** The viewer of a session, in one round trip. Null when the account is deleted or suspended, or the session has ended. */
export async function findViewer(db: Database, session: SessionIdentity): Promise<Viewer | null> {
  return (await findViewerWith(db, session, [])).viewer;
}

/** Like findViewer, with the answers to `others` from the same round trip. */
export async function findViewerWith(
  db: Database,
  session: SessionIdentity,
  others: readonly Statement[],
): Promise<{ viewer: Viewer | null; answers: readonly unknown[] }> {
  const [found, ...answers] = await runBatch(db, [viewerRow(session), ...others]);
  return { viewer: toViewer(rowOf<ViewerRow>(found)), answers };
}

function toViewer(row: ViewerRow | undefined): Viewer | null {
  if (!row) return null;
  const basket = { cart: JSON.parse(row.cart) as string[], wishlist: JSON.parse(row.wishlist) as string[] };
  return {
    id: row.id,
    email: row.email,
    fullName: row.fullName ?? "",
    phone: row.phone,
    campusLocation: row.campusLocation,
    accountType: row.accountType ?? "student",
    isSeller: row.isSeller === 1,
    isPro: row.isPro === 1,
    isAdmin: row.isAdmin === 1,
    profileComplete: isProfileComplete(row),
    counts: { cart: basket.cart.length, wishlist: basket.wishlist.length, unread: row.unread },
    basket,
  };
}

/** Whether the profile of a session's user is complete; null when the session has ended. Reads three rows. */
export function sessionRead(session: SessionIdentity): Read<{ profileComplete: boolean } | null> {
  return {
    statements: [
      sql`SELECT p.full_name AS fullName, p.campus_location AS campusLocation, p.account_type AS accountType
        FROM credentials c LEFT JOIN profiles p ON p.id = c.id WHERE ${isAlive(session)}`,
    ],
    read: ([found]) => {
      const row = rowOf<Pick<ViewerRow, "fullName" | "campusLocation" | "accountType">>(found);
      return row ? { profileComplete: isProfileComplete(row) } : null;
    },
  };
}
