import { redirect } from "react-router";

/** Leads to the first admin page. */
export function loader() {
  return redirect("/admin/codes");
}
