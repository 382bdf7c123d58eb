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

/** Everybody who logs out, in this tab or another, arrives here. So this clears what the browser keeps of them. */
export default function VisitorLayout() {
  useEffect(forgetPrivate, []);
  return <Outlet />;
}

export { AuthFailure as ErrorBoundary } from "#app/accounts/components/auth-layout.tsx";
