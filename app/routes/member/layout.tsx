import { redirect } from "react-router";
import type { Route } from "./+types/layout.ts";
import { SIGN_IN_TEXTS } from "#app/accounts/rules.ts";
import { servicesContext, viewerContext } from "#app/request/context.ts";
import { screenPath } from "#app/platform/screen-path.ts";
import { ISSUE_TEXTS } from "#app/orders/rules.ts";

/** Screens for members. A visitor is sent to the login screen, and on to the screen they asked for once they have logged in. */
export const middleware: Route.MiddlewareFunction[] = [
  async ({ request, context }) => {
    if (context.get(viewerContext)) return;
    const { flash } = context.get(servicesContext);
    const cookie = await flash.write({ kind: "info", text: await signedOutText(request), duration: 3000 });
    throw redirect(`/auth?to=${encodeURIComponent(screenPath(request))}`, {
      headers: { "Set-Cookie": cookie },
    });
  },
];

/** What to say to somebody whose session ended while they filled in a form, by the form's intent. */
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

/** A failure shows where the screen would be, with the bars around it; without a component of its own the layout shows its screens. */
export { Failure as ErrorBoundary } from "#app/ui/failure.tsx";
