import type { Route } from "./+types/elsewhere.ts";
import { respondUnknownPath } from "#app/request/unknown-path.server.ts";

/** In a middleware, as every guard is: an answer must not tell a path that is missing from one that is hidden. */
export const middleware: Route.MiddlewareFunction[] = [respondUnknownPath];

export function loader() {
  return null;
}

export function action() {
  return null;
}
