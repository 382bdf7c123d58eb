import { redirect } from "react-router";
import type { Route } from "./+types/layout.ts";
import { SIGN_IN_TEXTS, withReturnPath } from "#app/accounts/login/account-rules.ts";
import { redirectWithFlash } from "#app/platform/flash.server.ts";
import { servicesContext, viewerContext } from "#app/request/context.ts";
import { returnPath } from "#app/request/screen-path.ts";
import { pendingActionText } from "#app/screens/pending-action-text.server.ts";
import { ISSUE_TEXTS } from "#app/orders/order-rules.ts";

/**
 * Screens for members with a complete profile. Others log in or complete it first, and then arrive on the screen that
 * they asked for.
 */
export const middleware: Route.MiddlewareFunction[] = [
  async ({ request, pattern, context }) => {
    const viewer = context.get(viewerContext);
    if (viewer?.profileComplete) return;
    const to = returnPath(request, pattern);
    if (viewer) throw redirect(withReturnPath("/complete-profile", to));
    const services = context.get(servicesContext);
    const login = withReturnPath("/auth", to);
    // The login itself says why they are there.
    if (await pendingActionText(services, request, to)) throw redirect(login);
    throw await redirectWithFlash(services, login, {
      kind: "info",
      text: await signedOutText(request),
      duration: 3000,
    });
  },
];

/** What people read when their session ends while they fill in a form, by the form's intent. */
const SIGNED_OUT_TEXTS = new Map([["report", ISSUE_TEXTS.signedOut]]);

async function signedOutText(request: Request): Promise<string> {
  if (request.method !== "POST") return SIGN_IN_TEXTS.required;
  const form = await request
    .clone()
    .formData()
    .catch(() => null);
  return SIGNED_OUT_TEXTS.get(String(form?.get("intent"))) ?? SIGN_IN_TEXTS.required;
}

export function loader() {
  return null;
}

/** Shows a failure in the place of the screen, with the bars around it. */
export { Failure as ErrorBoundary } from "#app/ui/feedback/failure.tsx";
