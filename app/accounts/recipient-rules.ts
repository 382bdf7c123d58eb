/** Who is told by email, and who isn't because the account is closed. */

/** What an email is to its reader. */
export type MailAbout =
  /** What becomes of their own money. It moves while an account is suspended, too. */
  | "money"
  /** The account, or what our team decided about it. */
  | "account"
  /** Everything else. It helps only somebody who can log in. */
  | "use";

export interface Reader {
  email: string;
  /** The account was suspended or deleted. */
  isClosed: boolean;
  isDeleted: boolean;
}

/** Where an email about this goes; null where its reader gets none. The address of a deleted account is gone. */
export function recipientOf({ email, isClosed, isDeleted }: Reader, about: MailAbout): string | null {
  if (isDeleted) return null;
  return isClosed && about === "use" ? null : email;
}
