import { redirect } from "react-router";
import type { Route } from "./+types/issuer-start.ts";
import { redirectWithFlash } from "#app/platform/flash.server.ts";
import { networkOf } from "#app/platform/network.ts";
import { safeReturnPath, SIGN_IN_TEXTS } from "#app/accounts/login/account-rules.ts";
import { findIssuer } from "#app/accounts/login/find-issuers.server.ts";
import type { Issuer } from "#app/accounts/login/issuer.ts";
import { issuerTexts, NO_ISSUER_TEXT } from "#app/accounts/login/issuer-rules.ts";
import { requestContext, servicesContext } from "#app/request/context.ts";

/** Redirects to an issuer. A cookie remembers the values that must match on return. */
export async function loader({ request, context, params }: Route.LoaderArgs) {
  const services = context.get(servicesContext);
  if (!(await services.limits.address(`issuer:${networkOf(context.get(requestContext).address)}`)))
    return backToSignIn(SIGN_IN_TEXTS.busy);
  const to = safeReturnPath(new URL(request.url).searchParams.get("to"));
  let issuer: Issuer | null = null;
  try {
    issuer = await findIssuer(services, params.issuer);
    if (!issuer) return await backToSignIn(NO_ISSUER_TEXT);
    const { url, pending } = await services.issuers.open(issuer).start();
    const cookie = await services.issuerCookie.write({ ...pending, issuer: issuer.key, to });
    return redirect(url, { headers: { "Set-Cookie": cookie } });
  } catch (error) {
    services.log({ event: "issuer_unreachable", level: "error", issuer: params.issuer, error: String(error) });
    return backToSignIn(issuer ? issuerTexts(issuer).unreachable : SIGN_IN_TEXTS.connection);
  }

  function backToSignIn(text: string): Promise<Response> {
    return redirectWithFlash(services, "/auth", { kind: "error", text, duration: 5000 });
  }
}
