import { redirect } from "react-router";
import type { Route } from "./+types/index.ts";
import { basketAction } from "#app/screens/actions/basket-action.server.ts";
import { viewerContext } from "#app/request/context.ts";

export function loader({ context }: Route.LoaderArgs) {
  return redirect(context.get(viewerContext) ? "/home" : "/auth");
}

/** Hearts and cart buttons pressed before scripts run: a document's form reaches this route, where the router's own reaches the root. */
export const action = (args: Route.ActionArgs) => basketAction(args);
