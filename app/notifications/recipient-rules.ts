/** Who is told, and who isn't because the account is closed. */

/** What a notification is to its reader. */
export type About =
  /** What becomes of their own money. It moves while an account is suspended, too. */
  | "money"
  /** The account, or what our team decided about it. */
  | "account"
  /** Everything else. It helps only somebody who can log in. */
  | "use";

export interface Closing {
  /** The account was suspended or deleted. */
  isClosed: boolean;
  isDeleted: boolean;
}

export interface Reader extends Closing {
  email: string;
}

/**
 * Somebody who may be told: a side of a deal, an offer, a meeting or a review, or the owner of a listing. Never for a
 * page.
 */
export interface Party extends Reader {
  id: string;
  /** Empty when they have entered none. */
  name: string;
}

/** Somebody who is logged in, or whose account was found open. */
export function openParty({ id, email, name }: Pick<Party, "id" | "email" | "name">): Party {
  return { id, email, name, isClosed: false, isDeleted: false };
}

/** Whether the owner of an account is told of something. The address of a deleted account is gone. */
export function isTold({ isClosed, isDeleted }: Closing, about: About): boolean {
  if (isDeleted) return false;
  return !isClosed || about !== "use";
}
