/** What an admin may do (team/role-rules.ts). An owner may do everything. */
export const ADMIN_ROLES = ["support", "finance", "owner"] as const;
export type AdminRole = (typeof ADMIN_ROLES)[number];
