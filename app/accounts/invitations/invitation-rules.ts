/** What an invitation brings: pure rules and texts. See docs/product-rules.md, "Bring a friend". */
import { DAY_MS } from "#app/platform/duration-rules.ts";

/** How long each of the two is featured for it, in ms. */
export const FEATURED_WEEK_MS = 7 * DAY_MS;
/** Weeks of invitations don't feature a shop further ahead than so many. */
export const WEEKS_AHEAD_MAX = 8;

/** So many friends of one inviter count within so many ms, so that nobody invites made-up friends for ever. */
export const FRIENDS_COUNT_MAX = 8;
export const FRIENDS_COUNT_MS = 180 * DAY_MS;

/** Which of the two somebody is. */
export type InvitationRole = "invited" | "inviter";

/** What the sign-up says to somebody who comes by a link. */
export function invitationText(inviter: string): string {
  return `${inviter} invites you. Buy or sell once with a handover code, and both your shops are shown first for a week.`;
}

/** What a member's own invitations have come to. Times in ms since 1970. */
export interface OwnInvitations {
  /** Who invited them: the first name, or null where that account is gone. Undefined where nobody did. */
  invitedBy: string | null | undefined;
  /** Their own first deal hasn't ended with the code yet. */
  isInvitationOpen: boolean;
  /** How many have signed up by their link, and of how many a first deal counts. */
  joined: number;
  counted: number;
  /** Weeks that begin with their next listing, because they had nothing for sale. */
  weeksWaiting: number;
  featuredUntil: number | null;
}

/** Deals of the invited that are over and brought no week. */
export interface UncountedDeals {
  /** How many of a member's friends had one, and none that counts. */
  friends: number;
  /** The member was invited, and had one. */
  own: boolean;
}

/** Why friends who have had a deal don't count yet. It accuses nobody: two people may well share a phone. */
export function uncountedText(friends: number): string {
  const who = friends === 1 ? "1 friend's deal" : `The deals of ${friends.toLocaleString("en")} friends`;
  return `${who} didn't count. ${whyNot(friends === 1 ? "It was" : "Each was", "you")} The next one can count.`;
}

/** The same to whoever was invited. `inviter`: as they are called. */
export function ownUncountedText(inviter: string): string {
  return `Your deal so far didn't count. ${whyNot("It was", inviter)} The next one can count.`;
}

/** `was`: "It was". */
function whyNot(was: string, inviter: string): string {
  return `${was} with ${inviter} or another friend of the same link, used an M-Pesa number of two people, or ended without the code.`;
}

/** "3 friends have joined, and 1 of them has had a first deal." */
export function friendsText({ joined, counted }: Pick<OwnInvitations, "joined" | "counted">): string {
  if (joined === 0) return "Nobody has joined by your link yet.";
  const friends = joined === 1 ? "1 friend has joined" : `${joined.toLocaleString("en")} friends have joined`;
  if (counted === 0) return `${friends}. Your week comes with their first deal.`;
  if (joined === 1) return `${friends}, and had a first deal.`;
  return `${friends}, and ${counted === joined ? "all" : counted.toLocaleString("en")} of them had a first deal.`;
}
