import { useEffect } from "react";
import { Outlet, redirect } from "react-router";
import type { Route } from "./+types/layout.ts";
import { forgetPrivate } from "#app/platform/private-storage.ts";
import { viewerContext } from "#app/request/context.ts";

/** Screens for visitors only. Members are sent home. */
export const middleware: Route.MiddlewareFunction[] = [
  ({ context }) => {
    if (context.get(viewerContext)) throw redirect("/home");
  },
];

export function loader() {
  return null;
}

/** Whoever logs out, in this tab or another one, comes here: nothing of theirs stays in the browser. */
export default function VisitorLayout() {
  useEffect(forgetPrivate, []);
  return <Outlet />;
}

export { AuthFailure as ErrorBoundary } from "#app/accounts/components/auth-layout.tsx";
