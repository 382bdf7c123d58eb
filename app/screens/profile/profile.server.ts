import { type Member, memberRow, readMember } from "#app/accounts/member.server.ts";
import { listedBy } from "#app/catalogue/selling/listed-by.server.ts";
import { readWishlist, type WishlistItem, wishlistRows } from "#app/basket/find-wishlist.server.ts";
import type { ProductPage } from "#app/catalogue/browse/browse.server.ts";
import { ownListingRows, readOwnListings } from "#app/catalogue/selling/listings.server.ts";
import { readCursor } from "#app/catalogue/catalogue-rules.ts";
import { read } from "#app/db/batch.ts";
import type { Database } from "#app/db/client.ts";

/** The head of a profile; null when there is none. One round trip. */
export async function findMember(db: Database, userId: string): Promise<Member | null> {
  return readMember(await memberRow(db, userId, listedBy(userId)));
}

/** A profile with a page of its listings. One round trip. */
export async function findMemberListings(
  db: Database,
  userId: string,
  after: string | null,
): Promise<{ member: Member; listings: ProductPage } | null> {
  const { head, rows } = await read(db, {
    head: memberRow(db, userId, listedBy(userId)),
    rows: ownListingRows(userId, after),
  });
  const member = readMember(head);
  return member && { member, listings: readOwnListings(rows, readCursor(after) && after) };
}

/** A profile with its wishlist. One round trip. */
export async function findMemberWishlist(
  db: Database,
  userId: string,
): Promise<{ member: Member; wishes: WishlistItem[] } | null> {
  const { head, wishes } = await read(db, {
    head: memberRow(db, userId, listedBy(userId)),
    wishes: wishlistRows(userId),
  });
  const member = readMember(head);
  return member && { member, wishes: readWishlist(wishes) };
}
