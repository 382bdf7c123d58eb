import { redirect } from "react-router";
import type { Route } from "./+types/layout.ts";
import { SIGN_IN_TEXTS } from "#app/accounts/rules.ts";
import { servicesContext, viewerContext } from "#app/request/context.ts";
import { ISSUE_TEXTS } from "#app/orders/rules.ts";

/** Screens for signed-in users; a visitor is sent to sign in and comes back to where they wanted to go. */
export const middleware: Route.MiddlewareFunction[] = [
  async ({ request, context }) => {
    if (context.get(viewerContext)) return;
    const { flash } = context.get(servicesContext);
    const url = new URL(request.url);
    const cookie = await flash.write({ kind: "info", text: await signedOutText(request), duration: 3000 });
    throw redirect(`/auth?to=${encodeURIComponent(url.pathname.replace(/\.data$/, "") + url.search)}`, {
      headers: { "Set-Cookie": cookie },
    });
  },
];

/** What a form's intent says to someone whose session ended while they wrote (commerce spec §5). */
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
