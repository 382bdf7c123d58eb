import { Outlet, redirect } from "react-router";
import type { Route } from "./+types/layout.ts";
import { withReturnPath } from "#app/accounts/login/account-rules.ts";
import { CONFIRMED_FOR_MS, TWO_STEP_TEXTS } from "#app/accounts/two-step/two-step-rules.ts";
import { adminAccess } from "#app/team/admin-access.ts";
import { ADMIN_TEXTS } from "#app/team/admin-texts.ts";
import { AdminContext } from "#app/team/components/admin-context.ts";
import { asksAgain } from "#app/team/asking-form-rules.ts";
import { mayOpen } from "#app/team/role-rules.ts";
import { redirectWithFlash } from "#app/platform/flash.server.ts";
import { requireViewer, servicesContext, viewerContext } from "#app/request/context.ts";
import type { Services } from "#app/request/services.ts";
import { respondUnknownPath } from "#app/request/unknown-path.server.ts";
import { screenPath } from "#app/request/screen-path.ts";
import { MemberFrame } from "#app/screens/member-frame.tsx";

/**
 * The layout of the admin pages. For everybody but admins, these addresses answer like unknown paths. An admin without
 * a second step sets one up first, and one whose role doesn't include a page is led to one that it does. Before money
 * moves, they show once more who they are: status 307 takes the form along.
 */
export const middleware: Route.MiddlewareFunction[] = [
  async (args, next) => {
    const { request, context } = args;
    const services = context.get(servicesContext);
    const viewer = context.get(viewerContext);
    if (!viewer?.adminRole) return respondUnknownPath(args);
    const role = adminAccess(viewer, services.adminsNeedTwoSteps);
    if (role === null) return leadTo("/settings/two-step", services, TWO_STEP_TEXTS.needed);
    const page = `/${args.pattern}`;
    if (!mayOpen(role, page)) return leadTo("/admin", services, ADMIN_TEXTS.other_role);
    const isRecent = services.now() < viewer.confirmed.at + CONFIRMED_FOR_MS;
    if (!isRecent && request.method === "POST" && (await asksAgain(page, () => request.clone().formData())))
      throw redirect(withReturnPath("/auth/confirm", screenPath(request)), 307);
    return next();
  },
];

async function leadTo(path: string, { flash }: Services, text: string): Promise<never> {
  throw await redirectWithFlash({ flash }, path, { kind: "info", text, duration: 6000 });
}

export function loader({ context }: Route.LoaderArgs) {
  const { id, adminRole } = requireViewer(context);
  return { id, role: adminRole ?? "support" } as const;
}

export default function AdminLayout({ loaderData }: Route.ComponentProps) {
  return (
    <AdminContext value={loaderData}>
      <MemberFrame key={loaderData.id}>
        <Outlet />
      </MemberFrame>
    </AdminContext>
  );
}
