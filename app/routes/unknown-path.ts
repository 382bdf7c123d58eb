import type { Route } from "./+types/unknown-path.ts";
import { respondUnknownPath } from "#app/request/unknown-path.server.ts";

/** This runs in a middleware, like every guard, so that a missing path and a hidden one get the same answer. */
export const middleware: Route.MiddlewareFunction[] = [respondUnknownPath];

export function loader() {
  return null;
}

export function action() {
  return null;
}
