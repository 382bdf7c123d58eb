/** What each role of an admin may open and do: pure rules. docs/product-rules.md, "Admin pages", has them in words. */
import type { AdminRole } from "#app/db/states/admin.ts";
import { SCREENS } from "#app/screen-rules.ts";
import { visibleForm } from "#app/platform/visible-text.ts";
import { type AdminAct, FREE_ACTS, MONEY_ACTS } from "./act-rules.ts";

export const ROLE_NAMES: Record<AdminRole, string> = { support: "Support", finance: "Finance", owner: "Owner" };

/** `page`: a pattern of the router. A page that names no roles is for owners alone. */
export function mayOpen(role: AdminRole, page: string): boolean {
  return role === "owner" || (SCREENS[page]?.roles ?? []).includes(role);
}

/** The acts by which an admin gives somebody a role. */
export const GIVES_ROLE: AdminAct[] = ["admin_made", "admin_changed"];

/**
 * The acts of another admin after which somebody is new: whoever does one of them could act with that account
 * themselves.
 */
export const MAKES_NEW: AdminAct[] = [...GIVES_ROLE, "second_step_reset"];

/** All roles that may do an act. It is asked in the act's own batch. */
export function rolesFor(act: AdminAct): AdminRole[] {
  return [...{ ...MONEY_ACTS, ...FREE_ACTS }[act], "owner"];
}

export function mayDo(role: AdminRole, act: AdminAct): boolean {
  return rolesFor(act).includes(role);
}

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
  "/admin/income": ["propose-fee", "confirm-fee"],
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
