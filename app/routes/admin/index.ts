import { redirect } from "react-router";
import type { Route } from "./+types/index.ts";
import { ADMIN_TABS } from "#app/admin/admin-tabs.ts";
import { mayOpen } from "#app/admin/role-rules.ts";
import { requireViewer } from "#app/request/context.ts";

/** Leads to the first admin page of the role. */
export function loader({ context }: Route.LoaderArgs) {
  const { adminRole } = requireViewer(context);
  const first = ADMIN_TABS.find(({ to }) => adminRole !== null && mayOpen(adminRole, to));
  return redirect(first?.to ?? "/home");
}
