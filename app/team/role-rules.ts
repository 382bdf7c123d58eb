/** What each role of an admin may open and do: pure rules. docs/product-rules.md, "Admin pages", has them in words. */
import type { AdminRole } from "#app/db/states/admin.ts";
import { SCREENS } from "#app/screen-rules.ts";
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
