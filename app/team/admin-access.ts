import type { Confirmation } from "#app/accounts/login/session.server.ts";
import type { AdminRole } from "#app/db/states/admin.ts";

/**
 * As what role a viewer may act now; null for everybody else. `needsTwoSteps`: admins must have logged in with a second
 * step.
 */
export function adminAccess(
  { adminRole, confirmed }: { adminRole: AdminRole | null; confirmed: Confirmation },
  needsTwoSteps: boolean,
): AdminRole | null {
  return needsTwoSteps && confirmed.steps < 2 ? null : adminRole;
}
