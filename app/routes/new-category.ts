import { redirect } from "react-router";
import type { Route } from "./+types/new-category.ts";
import { PROFILE_FIRST_TEXT } from "#app/accounts/login/account-rules.ts";
import { addCategory } from "#app/catalogue/selling/categories.server.ts";
import { CATEGORY_TEXTS } from "#app/catalogue/selling/listing-form-rules.ts";
import { TOO_MANY_REQUESTS } from "#app/platform/rate-limit-rules.ts";
import { servicesContext, viewerContext } from "#app/request/context.ts";

export function loader() {
  return redirect("/home");
}

/**
 * Adds the category that the listing form suggests in `name`, and answers with JSON. It isn't behind the members'
 * guard, because visitors get a text of their own.
 */
export async function action({ request, context }: Route.ActionArgs) {
  const services = context.get(servicesContext);
  const viewer = context.get(viewerContext);
  if (!viewer) return Response.json({ ok: false, error: CATEGORY_TEXTS.sign_in }, { status: 401 });
  if (!viewer.profileComplete) return Response.json({ ok: false, error: PROFILE_FIRST_TEXT }, { status: 403 });
  if (!(await services.limits.write(viewer.id)))
    return Response.json({ ok: false, error: TOO_MANY_REQUESTS }, { status: 429 });
  const name = (await request.formData()).get("name");
  const answer = await addCategory(services, viewer.id, typeof name === "string" ? name : "");
  return Response.json(answer);
}
