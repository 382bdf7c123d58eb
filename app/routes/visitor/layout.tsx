import { redirect } from "react-router";
import type { Route } from "./+types/layout.ts";
import { viewerContext } from "#app/request/context.ts";

/** Screens for people who are not signed in; everyone else is sent home. */
export const middleware: Route.MiddlewareFunction[] = [
  ({ context }) => {
    if (context.get(viewerContext)) throw redirect("/home");
  },
];

export function loader() {
  return null;
}

export { AuthFailure as ErrorBoundary } from "#app/accounts/components/auth-layout.tsx";
