/** Rules and texts of accounts (docs/product-rules.md, "Accounts"). */
import { displayPhone } from "#app/accounts/profile/phone.ts";
import { TOO_MANY_REQUESTS } from "#app/platform/rate-limit-rules.ts";
import { HOUR_MS, MINUTE_MS } from "#app/platform/duration-rules.ts";

/**
 * Whether a profile has what every profile needs: a name and, for students, a campus. Everything else is optional, and
 * asked for when it is needed.
 */
export function isProfileComplete(profile: {
  fullName: string | null;
  campusLocation: string | null;
  accountType: "student" | "wholesaler" | null;
}): boolean {
  if (!profile.fullName?.trim()) return false;
  return profile.accountType === "wholesaler" || Boolean(profile.campusLocation?.trim());
}

/** Whoever has no complete profile changes nothing: not on a screen, and not by an endpoint. */
export const PROFILE_FIRST_TEXT = "Please complete your profile first.";

/** In years. Nobody checks it: whoever makes an account says so (docs/law.md). */
export const MIN_AGE = 18;

/** How long a session lives without use, in seconds. It is renewed after half of that time. */
export const SESSION_LIFE_S = 30 * 24 * 60 * 60;
/** The same for a user who doesn't stay logged in, for example on a computer in a lab. */
export const SHORT_SESSION_LIFE_S = 12 * 60 * 60;

/**
 * How many wrong passwords for one account, from one known device or from all unknown devices of one network, pause its
 * password login there.
 */
export const SIGN_IN_TRIES = 10;
/** The same for all unknown devices of all networks together. */
export const SIGN_IN_TRIES_ANYWHERE = 50;
/** How long that pause is, from the first wrong password, in ms. */
export const SIGN_IN_PAUSE_MS = 15 * MINUTE_MS;

/** Characters. Longer passwords are refused before hashing, which would take long. */
export const PASSWORD_MIN_LENGTH = 6;
export const PASSWORD_MAX_LENGTH = 200;

/** Maximum lengths, in characters. */
export const MAX_LENGTHS = {
  fullName: 100,
  email: 254,
  password: PASSWORD_MAX_LENGTH,
  phone: 30,
  campusLocation: 100,
  businessName: 120,
  wholesalerCode: 64,
  businessLicenseNumber: 64,
  taxId: 64,
  businessAddress: 300,
  businessPhone: 30,
  businessEmail: 254,
  businessDescription: 1000,
  businessWebsite: 300,
} as const;

/** How many days the link works that undoes the changes of an account. */
export const UNDO_DAYS = 7;

/** How long the link to choose a new password works, in ms. */
export const RESET_LINK_LIFE_MS = HOUR_MS;

/** Email addresses are compared and kept in lower case, without space around them. */
export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase();
}

export const SIGN_IN_TEXTS = {
  success: "Successfully logged in!",
  not_confirmed: "Please confirm your email before logging in. Check your inbox for the confirmation link.",
  invalid: "Invalid email or password",
  suspended: "This account is suspended. Please contact support.",
  busy: TOO_MANY_REQUESTS,
  paused:
    "Too many wrong passwords for this account from this network. Try again in 15 minutes, or get in now with a link that we email you.",
  connection: "Connection Error - Please check your internet connection and try again.",
  connection_toast: "Please check your internet connection and try again",
  required: "Please log in to continue",
  /** There is a session, but its account no longer exists. */
  no_user: "Authentication error",
} as const;

/** The address of a visitor screen that remembers where to go after the login. */
export function withReturnPath(screen: string, to: string | null): string {
  if (to === null) return screen;
  return `${screen}${screen.includes("?") ? "&" : "?"}to=${encodeURIComponent(to)}`;
}

/** Where a login with an issuer begins, and where it comes back to. `key`: the issuer's. */
export function issuerPath(key: string, step: "start" | "callback"): string {
  return `/auth/${key}/${step}`;
}

/** A path on this site to go to after the login. Null for another site and for screens that only visitors see. */
export function safeReturnPath(path: string | null): string | null {
  if (!path || path.length > 500 || !path.startsWith("/") || path.startsWith("//") || path.includes("\\")) return null;
  // Browsers drop tabs and newlines from addresses, so "/\t/evil" would leave the site.
  if ([...path].some((character) => character < " " || character === "\u007f")) return null;
  // They also take "/x/../auth" for "/auth".
  if (/\/(\.|%2e){1,2}([/?#]|$)/i.test(path.split(/[?#]/)[0] ?? "")) return null;
  return path.startsWith("/auth") || path.startsWith("/logout") || path === "/" ? null : path;
}

/**
 * The page that a form sent without scripts names in `from`, and to which it returns. Null for a form that scripts
 * sent.
 */
export function pageOfForm(from: unknown): string | null {
  return typeof from === "string" ? (safeReturnPath(from) ?? "/home") : null;
}

/** What replaces a deleted account's name, messages and the places where they wanted to meet. */
export const DELETED_NAME = "Deleted user";
export const DELETED_PLACE = "Deleted place";
export const DELETED_MESSAGE = "This message was deleted with its account.";

/** Why an account cannot be deleted yet. */
export type DeletionBlocker =
  | "admin"
  | "payment_open"
  | "purchase_open"
  | "sale_open"
  | "payout_open"
  | "refund_open"
  | "report_open";

export const DELETION_BLOCKER_TEXTS: Record<DeletionBlocker, string> = {
  admin: "You're an admin, so you can't delete your account. Ask the operator to hand your role over first.",
  payment_open: "One of your payments is still in progress. Please wait until it's done.",
  purchase_open:
    "Something you paid for isn't completed yet. Please wait until the order is completed or your money is back.",
  sale_open:
    "Something you sold isn't completed yet. Please deliver it, and wait until the sale is completed or cancelled.",
  payout_open: "We still owe you money. Please wait until you've received your payout.",
  refund_open: "We still owe you a refund. Please wait until you've received it.",
  report_open: "Our team is looking at a report about one of your orders. Please wait until it's closed.",
};

export const PASSWORD_TEXTS = {
  reset: "Password changed. You're logged in.",
} as const;

/** Why a link changes no password. */
export const RESET_OVER_TEXTS = {
  used: "Your password or email has changed since we sent it. Log in with your new password. You don't know it? Ask for a new link.",
  expired: "It's more than an hour old, so it did nothing. Ask for a new one.",
  invalid:
    "The address isn't complete, or the link is too old, so it did nothing. Open it from the email again, or ask for a new one.",
} as const;

/** Changing the email of an account. */
export const EMAIL_TEXTS = {
  asked: "We've sent a link to your new address. Open it to make the change.",
  cancelled: "Cancelled. Your email stays as it is.",
  gone: "This change was made, cancelled, or is more than a day old.",
  changed: "Email changed. Your other devices are logged out.",
  same: "This is your email already",
  often: "You've asked for this several times today. Please try again tomorrow.",
  admin: "You're an admin, so this email stays. To change it, ask the operator to hand your role over first.",
  no_password: "To change your email, set a password first, under Password.",
  over: "This link belongs to another account, was cancelled or replaced, or is too old. Nothing has changed.",
  done: "Your email is changed already. You log in with this address now.",
  taken: "This address belongs to another account now, so nothing has changed. Please write to us.",
  barred:
    "Our team has closed an account with this email, or is looking into it, so nothing has changed. Please write to us.",
  lost: "We couldn't reach our server. Please check your connection and try again.",
} as const;

/** Undoing the changes of an account. */
export const UNDO_TEXTS = {
  over: `It was used, so these changes are undone already, or it's more than ${UNDO_DAYS} days old. To keep others out of your account, choose a new password.`,
  done: "Your account is as it was, and everybody is logged out. Choose a new password now: until then, we send no payouts.",
  suspended:
    "Everybody is logged out, and the password no longer works. The account is suspended, so nobody can log in to it now.",
} as const;

/** Somebody's details as their form shows them. They are merged with a change made meanwhile. */
export function detailTexts(settings: {
  member: { fullName: string; campusLocation: string | null };
  phone: string | null;
}) {
  const { member, phone } = settings;
  return {
    fullName: member.fullName,
    phone: phone ? displayPhone(phone) : "",
    campusLocation: member.campusLocation ?? "",
  };
}

/** The word to type to delete an account. */
export const DELETE_WORD = "DELETE";

export const SETTINGS_TEXTS = {
  details: "Profile saved",
  photo: "Photo saved. Members see it beside your name.",
  photo_removed: "Photo removed",
  photo_changed: "Your photo was changed meanwhile, too. Save again to keep what you see here.",
  details_waits: "Profile saved. We'll review your new name before you're verified again.",
  details_needs_document: "Profile saved. To be verified under your new name, please upload your student ID again.",
  password: "Password changed. Your other devices are logged out.",
  wrong_password: "Wrong current password",
  password_link: "We emailed you a link to set your password. It works for one hour.",
  student_link: "We've sent a link to your university address. Open it, and you stay verified.",
  student_link_often: "We've sent you ten links today. Please use the last one, or try again tomorrow.",
  password_link_often: "We've already emailed you several links. Please check your inbox, or try again in an hour.",
  phone_password: "Money is on its way to you. Enter your password to change your number.",
  phone_often: "You've changed this number several times today. Enter your password to change it again.",
  phone_no_password: "To change this number now, set a password first, under Password.",
  phone_needed: "We need this number to send your payouts to",
  phone_enough: "You've changed this number too many times today. Please try again tomorrow.",
  my_data_next: "Thank you. Now press Download My Data again.",
  email_shown: "Members see your email on your seller page",
  email_hidden: "Your email is hidden",
  data_saver_on: "Data saver is on",
  data_saver_off: "Data saver is off",
  signed_out_everywhere: "Logged out of all devices",
  document: "Document uploaded. We'll review it soon.",
  document_missing: "Please choose a file",
  document_enough: "You've uploaded too many documents today. Please try again tomorrow.",
  deleted: "Your account has been deleted",
  gone: "This account has already been deleted.",
} as const;
