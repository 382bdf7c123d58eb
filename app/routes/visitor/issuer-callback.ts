import type { Route } from "./+types/issuer-callback.ts";
import { redirectAfterSignIn } from "#app/accounts/login/redirect-after-sign-in.server.ts";
import { type Issuer, IssuerRefused } from "#app/accounts/login/issuer.ts";
import { signInWithIssuer } from "#app/accounts/login/issuer-sign-in.server.ts";
import { findIssuer } from "#app/accounts/login/find-issuers.server.ts";
import { issuerTexts, NO_ISSUER_TEXT } from "#app/accounts/login/issuer-rules.ts";
import { redirectWithFlash } from "#app/platform/flash.server.ts";
import { networkOf } from "#app/platform/network.ts";
import { SIGN_IN_TEXTS } from "#app/accounts/login/account-rules.ts";
import { signInHeaders } from "#app/accounts/login/session.server.ts";
import { askSecondStep } from "#app/accounts/two-step/second-step.server.ts";
import { requestContext, servicesContext } from "#app/request/context.ts";

/**
 * Handles the return from an issuer. The cookie that was set on leaving is valid for one return, and from that issuer
 * alone.
 */
export async function loader({ request, context, params }: Route.LoaderArgs) {
  const services = context.get(servicesContext);
  const pending = await services.issuerCookie.read(request);
  if (!(await services.limits.address(`issuer:${networkOf(context.get(requestContext).address)}`)))
    return backToSignIn("error", SIGN_IN_TEXTS.busy);
  let issuer: Issuer | null = null;
  try {
    issuer = await findIssuer(services, params.issuer);
    if (!issuer) return await backToSignIn("error", NO_ISSUER_TEXT);
    const texts = issuerTexts(issuer);
    if (pending?.issuer !== issuer.key) return await backToSignIn("error", texts.failed);
    const identity = await services.issuers.open(issuer).finish(new URL(request.url), pending);
    const result = await signInWithIssuer(services, issuer, identity, pending.to);
    if (!result.ok) return await backToSignIn("error", texts[result.code]);
    services.drainOutbox();
    const asked = await askSecondStep(services, request, result, pending.to);
    if (asked) {
      asked.headers.append("Set-Cookie", await services.issuerCookie.clear());
      return asked;
    }
    const headers = await signInHeaders(services, request, result);
    headers.append("Set-Cookie", await services.issuerCookie.clear());
    return await redirectAfterSignIn(services, result, headers, pending.to);
  } catch (error) {
    if (issuer && error instanceof IssuerRefused && error.cancelled)
      return backToSignIn("info", issuerTexts(issuer).cancelled);
    services.log({
      event: "issuer_failed",
      level: "error",
      issuer: params.issuer,
      error: error instanceof IssuerRefused ? String(error.cause) : String(error),
    });
    return backToSignIn("error", issuer ? issuerTexts(issuer).failed : SIGN_IN_TEXTS.connection);
  }

  async function backToSignIn(kind: "info" | "error", text: string): Promise<Response> {
    const headers = new Headers();
    headers.append("Set-Cookie", await services.issuerCookie.clear());
    return redirectWithFlash(services, "/auth", { kind, text, duration: 5000 }, headers);
  }
}
