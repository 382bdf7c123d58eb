import type { AdminCounts } from "./admin-pages.server.ts";

/** The tabs of the admin pages. */
export const ADMIN_TABS = [
  { to: "/admin", label: "Today" },
  { to: "/admin/codes", label: "Codes" },
  { to: "/admin/verifications", label: "Verifications", count: "verifications" },
  { to: "/admin/moderation", label: "Moderation", count: "moderation" },
  { to: "/admin/problems", label: "Problems", count: "problems" },
  { to: "/admin/money", label: "Money", count: "money" },
  { to: "/admin/proposals", label: "Proposals", count: "proposals" },
  { to: "/admin/people", label: "People" },
  { to: "/admin/categories", label: "Categories" },
  { to: "/admin/types", label: "Types" },
  { to: "/admin/prohibited", label: "Prohibited" },
  { to: "/admin/universities", label: "Universities" },
  { to: "/admin/campuses", label: "Campuses" },
  { to: "/admin/operations", label: "Operations", count: "operations" },
  { to: "/admin/admins", label: "Admins" },
] as const satisfies { to: string; label: string; count?: keyof AdminCounts }[];
