/** What an admin may do (admin/role-rules.ts). An owner may do everything. */
export const ADMIN_ROLES = ["support", "finance", "owner"] as const;
export type AdminRole = (typeof ADMIN_ROLES)[number];
