import { redirect } from "react-router";
import type { Route } from "./+types/index.ts";
import { viewerContext } from "#app/context.ts";

export function loader({ context }: Route.LoaderArgs) {
  return redirect(context.get(viewerContext) ? "/home" : "/auth");
}
