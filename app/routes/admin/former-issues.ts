import { redirect } from "react-router";
import type { Route } from "./+types/former-issues.ts";

/** Issue reports had pages of their own. */
export function loader({ params: { id } }: Route.LoaderArgs) {
  return redirect(id === undefined ? "/admin/problems?show=reports" : `/admin/problems/${encodeURIComponent(id)}`, 301);
}
