import { redirect } from "react-router";
import type { Route } from "./+types/google.ts";
import { redirectWithFlash } from "#app/platform/flash.server.ts";
import { networkOf } from "#app/platform/network.ts";
import { GOOGLE_TEXTS, safeReturnPath, SIGN_IN_TEXTS } from "#app/accounts/login/account-rules.ts";
import { requestContext, servicesContext } from "#app/request/context.ts";

export function loader() {
  return redirect("/auth");
}

/** Redirects to Google. A cookie remembers the values that must match on return. */
export async function action({ request, context }: Route.ActionArgs) {
  const services = context.get(servicesContext);
  if (!services.google) return redirect("/auth");
  if (!(await services.limits.address(`google:${networkOf(context.get(requestContext).address)}`)))
    return backToSignIn(SIGN_IN_TEXTS.busy);
  const to = (await request.formData()).get("to");
  try {
    const { url, pending } = await services.google.start();
    const cookie = await services.googleCookie.write({
      ...pending,
      to: safeReturnPath(typeof to === "string" ? to : null),
    });
    return redirect(url, { headers: { "Set-Cookie": cookie } });
  } catch (error) {
    services.log({ event: "google_unreachable", level: "error", error: String(error) });
    return backToSignIn(GOOGLE_TEXTS.unreachable);
  }

  function backToSignIn(text: string): Promise<Response> {
    return redirectWithFlash(services, "/auth", { kind: "error", text, duration: 5000 });
  }
}
