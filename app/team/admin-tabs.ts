import type { AdminCounts } from "./admin-pages.server.ts";

/** The headings of the list of admin pages. */
export const ADMIN_TAB_GROUPS = ["To do", "People", "Catalogue", "Business"] as const;

/** The tabs of the admin pages, group by group. `count`: what waits there, as a number beside the label. */
export const ADMIN_TABS = [
  { group: "To do", to: "/admin", label: "Today" },
  { group: "To do", to: "/admin/moderation", label: "Moderation", count: "moderation" },
  { group: "To do", to: "/admin/problems", label: "Problems", count: "problems" },
  { group: "To do", to: "/admin/verifications", label: "Verifications", count: "verifications" },
  { group: "To do", to: "/admin/money", label: "Money", count: "money" },
  { group: "To do", to: "/admin/proposals", label: "Proposals", count: "proposals" },
  { group: "To do", to: "/admin/operations", label: "Operations", count: "operations" },
  { group: "People", to: "/admin/people", label: "People" },
  { group: "People", to: "/admin/codes", label: "Codes" },
  { group: "People", to: "/admin/universities", label: "Universities" },
  { group: "People", to: "/admin/admins", label: "Admins" },
  { group: "Catalogue", to: "/admin/categories", label: "Categories" },
  { group: "Catalogue", to: "/admin/types", label: "Types" },
  { group: "Catalogue", to: "/admin/prohibited", label: "Prohibited" },
  { group: "Catalogue", to: "/admin/campuses", label: "Campuses" },
  { group: "Business", to: "/admin/income", label: "Income" },
] as const satisfies {
  group: (typeof ADMIN_TAB_GROUPS)[number];
  to: string;
  label: string;
  count?: keyof AdminCounts;
}[];
