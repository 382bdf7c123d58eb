/** Accounts: pure rules (accounts spec §4, §5, §9). */

/** A profile without name, campus or phone sends its owner to complete it (accounts spec §4). */
export function isProfileComplete(profile: {
  fullName: string | null;
  campusLocation: string | null;
  phone: string | null;
}): boolean {
  return Boolean(profile.fullName?.trim() && profile.campusLocation?.trim() && profile.phone?.trim());
}

/** How long a session lives without use, seconds; renewed when half of it is gone. */
export const SESSION_LIFE_S = 30 * 24 * 60 * 60;

/** Wrong passwords for one account from one device or network before it rests there, and for how long, ms. */
export const SIGN_IN_TRIES = 10;
/** The same from all networks together where nobody has signed in to the account before. */
export const SIGN_IN_TRIES_ANYWHERE = 50;
export const SIGN_IN_PAUSE_MS = 15 * 60_000;

/** Accounts spec §9; the longest is refused before it costs anything to hash. Characters. */
export const PASSWORD_MIN_LENGTH = 6;
export const PASSWORD_MAX_LENGTH = 200;

/** How long the link to choose a new password lives, ms. */
export const RESET_LINK_LIFE_MS = 60 * 60_000;

/** E-mail addresses are compared and kept in lower case, without space around. */
export function normaliseEmail(email: string): string {
  return email.trim().toLowerCase();
}

export const SIGN_IN_TEXTS = {
  success: "Successfully logged in!",
  not_confirmed: "Please confirm your email before logging in. Check your inbox for the confirmation link.",
  invalid: "Invalid email or password",
  suspended: "This account is suspended. Please contact support.",
  busy: "Too many requests. Please try again later.",
  connection: "Connection Error - Please check your internet connection and try again.",
  connection_toast: "Please check your internet connection and try again",
  required: "Please log in to continue",
} as const;

/** A path inside this site to go to after sign-in, or null: never another site, never a page for visitors. */
export function safeReturnPath(path: string | null): string | null {
  if (!path || path.length > 500 || !path.startsWith("/") || path.startsWith("//") || path.includes("\\")) return null;
  // Browsers drop tabs and newlines from addresses, so "/\t/evil" would leave the site.
  if ([...path].some((character) => character < " " || character === "\u007f")) return null;
  return path.startsWith("/auth") || path.startsWith("/logout") || path === "/" ? null : path;
}

/** Commerce spec §4: what kind of account it is, in a word or two. */
export function accountTypeLabel(account: { isSeller: boolean; isPro: boolean }): string {
  if (!account.isSeller) return "Buyer";
  return account.isPro ? "Pro Seller" : "Seller";
}

/** What stands where the name, and the messages, of a deleted account stood. */
export const DELETED_NAME = "Deleted user";
export const DELETED_MESSAGE = "This message was deleted with its account.";

/** Why an account cannot be deleted yet. */
export type MoneyUnderWay =
  | "payment_open"
  | "purchase_undelivered"
  | "sale_undelivered"
  | "payout_open"
  | "refund_open";

export const MONEY_UNDER_WAY_TEXTS: Record<MoneyUnderWay, string> = {
  payment_open: "A payment with you is still open. Please wait until it has gone through or run out.",
  purchase_undelivered:
    "You have paid for something that has not been delivered yet. Please wait until it has reached you.",
  sale_undelivered: "Something you sold is paid and not delivered yet. Please deliver it first.",
  payout_open: "We still owe you money. Please wait until your payout has reached you.",
  refund_open: "We still owe you a refund. Please wait until it has reached you.",
};

/** Sign-in with Google. */
export const GOOGLE_TEXTS = {
  cancelled: "Sign-in with Google was cancelled.",
  failed: "Authentication failed. Please try again.",
  unreachable: "Google cannot be reached right now. Please try again, or log in with your password.",
  suspended: "This account cannot be used. Please contact support.",
  unverified: "Google has not verified the email of that account. Please log in with your password.",
  taken: "The email of that account belongs to an account with another Google sign-in.",
} as const;

export const PASSWORD_TEXTS = {
  reset: "Your password is changed, and you are logged in.",
} as const;

/** Typed to delete an account. */
export const DELETE_WORD = "DELETE";

export const SETTINGS_TEXTS = {
  details: "Profile updated successfully",
  details_reviewed: "Profile updated successfully. We look at your new name before you are verified again.",
  password: "Password changed. Your other devices are logged out.",
  wrong_password: "That is not your current password",
  password_link: "We emailed you a link to set your password. It works for one hour.",
  password_link_often: "We have emailed you several links already. Please check your inbox, or try again in an hour.",
  phone_password: "Money is on its way to you. Enter your password to change your number.",
  phone_often: "You have changed this number several times today. Enter your password to change it again.",
  phone_no_password: "To change this number now, set a password first, under Password below.",
  phone_enough: "You have changed this number many times today. Please try again tomorrow.",
  signed_out_everywhere: "Logged out of all devices",
  document: "Document uploaded. We will look at it soon.",
  document_missing: "Please choose a file",
  document_enough: "You have sent many documents today. Please try again tomorrow.",
  deleted: "Your account has been deleted",
  gone: "This account has been deleted already.",
} as const;
