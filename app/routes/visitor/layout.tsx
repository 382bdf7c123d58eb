import { useEffect } from "react";
import { Outlet, redirect, type RouterContextProvider } from "react-router";
import type { Route } from "./+types/layout.ts";
import { normalizeEmail } from "#app/accounts/login/account-rules.ts";
import { forgetMemory, forgetPrivate } from "#app/platform/private-storage.ts";
import { screenPath } from "#app/request/screen-path.ts";
import { servicesContext, viewerContext } from "#app/request/context.ts";

/**
 * Screens for visitors only. Members are sent home. A login or sign-up that is sent over somebody else's session
 * changes nothing, whatever the password, and says so.
 */
export const middleware: Route.MiddlewareFunction[] = [
  async ({ request, context }) => {
    const viewer = context.get(viewerContext);
    if (!viewer) return;
    throw redirect((await isForOther(request, context, viewer.email)) ? "/auth/other-account" : "/home");
  },
];

/** Whether a form, or a way to or from an issuer, may be about another account. A repeated press is of the same one. */
async function isForOther(request: Request, context: Readonly<RouterContextProvider>, own: string): Promise<boolean> {
  const { issuerCookie } = context.get(servicesContext);
  if (request.method !== "POST") {
    const step = /^\/auth\/[^/]+\/(start|callback)\b/.exec(screenPath(request))?.[1];
    return step === "start" || (step === "callback" && (await issuerCookie.read(request)) !== null);
  }
  const email = (
    await request
      .clone()
      .formData()
      .catch(() => null)
  )?.get("email");
  return typeof email !== "string" || normalizeEmail(email) !== own;
}

/** Whether this browser still has its session, which was then ended from elsewhere. One that ended by time is gone. */
export async function loader({ request, context }: Route.LoaderArgs) {
  return { wasEnded: (await context.get(servicesContext).sessions.read(request)) !== null };
}

/**
 * Whoever's session ends arrives here. What the browser keeps of them waits for their login, unless they have ended the
 * session: a logout in this browser forgets it in root.tsx.
 */
export default function VisitorLayout({ loaderData }: Route.ComponentProps) {
  const { wasEnded } = loaderData;
  useEffect(() => {
    if (wasEnded) forgetPrivate();
    else forgetMemory();
  }, [wasEnded]);
  return <Outlet />;
}

export { AuthFailure as ErrorBoundary } from "#app/accounts/components/auth-layout.tsx";
