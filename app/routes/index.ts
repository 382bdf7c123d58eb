import { redirect } from "react-router";
import type { Route } from "./+types/index.ts";
import { basketAction } from "#app/screens/actions/basket-action.server.ts";
import { viewerContext } from "#app/request/context.ts";

export function loader({ context }: Route.LoaderArgs) {
  return redirect(context.get(viewerContext) ? "/home" : "/auth");
}

/**
 * Takes heart and cart buttons that are pressed before scripts run. Documents post their forms to this route; the
 * router posts to the root.
 */
export const action = (args: Route.ActionArgs) => basketAction(args);
