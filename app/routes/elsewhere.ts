import type { Route } from "./+types/elsewhere.ts";
import { leadElsewhere } from "#app/elsewhere.server.ts";

/** In a middleware, as every guard is: an answer must not tell a path that is missing from one that is hidden. */
export const middleware: Route.MiddlewareFunction[] = [leadElsewhere];

export function loader() {
  return null;
}

export function action() {
  return null;
}
