import { visibleForm } from "#app/platform/visible-text.ts";

/**
 * The forms by which money moves, or somebody gets power, by their `intent`. They ask who it is again after ten
 * minutes.
 */
export const ASKING_FORMS: Readonly<Record<string, readonly string[]>> = {
  "/admin/money": ["retry", "record", "accept", "dismiss"],
  "/admin/money/lists": ["accept-line"],
  // What closes a report lets its money go, and what suspends somebody ends their deals.
  "/admin/problems/:id": ["decide", "close", "suspend-user", "suspend-listing"],
  "/admin/proposals": ["confirm"],
  "/admin/people": ["suspend-user"],
  "/admin/moderation/:caseId": ["decide-case"],
  // Whoever may vouch for a domain opens its members' accounts.
  "/admin/universities": ["add-login", "turn-on"],
  "/admin/income": ["confirm-fee", "confirm-take-back"],
  "/admin/admins": ["give", "change", "take", "reset"],
};

/**
 * Whether a form asks who it is once more. It is read only where its page has such a form: as the page reads it,
 * without unseen characters, and whichever of several intents the page takes.
 */
export async function asksAgain(page: string, read: () => Promise<FormData>): Promise<boolean> {
  const intents = ASKING_FORMS[page];
  if (intents === undefined) return false;
  const sent = visibleForm(await read()).getAll("intent");
  return sent.some((intent) => intents.includes(String(intent)));
}
