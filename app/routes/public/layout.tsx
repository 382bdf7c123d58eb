import { Outlet } from "react-router";
import type { Route } from "./+types/layout.ts";
import { listCampusNames } from "#app/accounts/profile/campuses.server.ts";
import { servicesContext } from "#app/request/context.ts";
import { PublicFailure, PublicFrame } from "#app/screens/public-frame.tsx";

export async function loader({ context }: Route.LoaderArgs) {
  return { campuses: await listCampusNames(context.get(servicesContext).db) };
}

/** Public pages: what people share, and what visitors and search engines can open without an account. */
export default function PublicLayout({ loaderData: { campuses } }: Route.ComponentProps) {
  return (
    <PublicFrame campuses={campuses}>
      <Outlet />
    </PublicFrame>
  );
}

export function ErrorBoundary() {
  return (
    <PublicFrame campuses={[]}>
      <PublicFailure />
    </PublicFrame>
  );
}
