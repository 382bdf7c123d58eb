import { Outlet } from "react-router";
import type { Route } from "./+types/layout.ts";
import { viewerContext } from "#app/request/context.ts";
import { respondUnknownPath } from "#app/request/unknown-path.server.ts";
import { MemberFrame } from "#app/screens/member-frame.tsx";

/** The layout of the admin pages. For everybody but admins, these addresses answer like unknown paths. */
export const middleware: Route.MiddlewareFunction[] = [
  (args, next) => (args.context.get(viewerContext)?.isAdmin ? next() : respondUnknownPath(args)),
];

export function loader() {
  return null;
}

export default function AdminLayout() {
  return (
    <MemberFrame>
      <Outlet />
    </MemberFrame>
  );
}
