import { redirect } from "react-router";

/** The first desk. */
export function loader() {
  return redirect("/admin/codes");
}
