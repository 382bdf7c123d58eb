import type { Route } from "./+types/google-callback.ts";
import { redirectAfterSignIn } from "#app/accounts/login/redirect-after-sign-in.server.ts";
import { GoogleRefused } from "#app/accounts/login/google.ts";
import { signInWithGoogle } from "#app/accounts/login/google-sign-in.server.ts";
import { redirectWithFlash } from "#app/platform/flash.server.ts";
import { networkOf } from "#app/platform/network.ts";
import { GOOGLE_TEXTS, SIGN_IN_TEXTS } from "#app/accounts/login/account-rules.ts";
import { signInHeaders } from "#app/accounts/login/session.server.ts";
import { askSecondStep } from "#app/accounts/two-step/second-step.server.ts";
import { requestContext, servicesContext } from "#app/request/context.ts";

/** Handles the return from Google. The cookie that was set on leaving is valid for one return. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const services = context.get(servicesContext);
  const pending = await services.googleCookie.read(request);
  if (!services.google || !pending) return backToSignIn("error", GOOGLE_TEXTS.failed);
  if (!(await services.limits.address(`google:${networkOf(context.get(requestContext).address)}`)))
    return backToSignIn("error", SIGN_IN_TEXTS.busy);
  try {
    const identity = await services.google.finish(new URL(request.url), pending);
    const result = await signInWithGoogle(services, identity, pending.to);
    if (!result.ok) return backToSignIn("error", GOOGLE_TEXTS[result.code]);
    services.drainOutbox();
    const asked = await askSecondStep(services, request, result, pending.to);
    if (asked) {
      asked.headers.append("Set-Cookie", await services.googleCookie.clear());
      return asked;
    }
    const headers = await signInHeaders(services, request, result);
    headers.append("Set-Cookie", await services.googleCookie.clear());
    return redirectAfterSignIn(services, result, headers, pending.to);
  } catch (error) {
    if (error instanceof GoogleRefused && error.cancelled) return backToSignIn("info", GOOGLE_TEXTS.cancelled);
    services.log({
      event: "google_failed",
      level: "error",
      error: error instanceof GoogleRefused ? String(error.cause) : String(error),
    });
    return backToSignIn("error", GOOGLE_TEXTS.failed);
  }

  async function backToSignIn(kind: "info" | "error", text: string): Promise<Response> {
    const headers = new Headers();
    headers.append("Set-Cookie", await services.googleCookie.clear());
    return redirectWithFlash(services, "/auth", { kind, text, duration: 5000 }, headers);
  }
}
