import { Outlet, redirect, useRouteLoaderData } from "react-router";
import type { Route } from "./+types/layout.ts";
import { SIGN_IN_TEXTS } from "#app/accounts/rules.ts";
import { servicesContext, viewerContext } from "#app/context.ts";
import type { loader as rootLoader } from "#app/root.tsx";
import { useLive } from "#app/messaging/components/use-live.ts";
import { Shell } from "#app/ui/shell.tsx";

/** Screens for signed-in users; a visitor is sent to sign in and comes back to where they wanted to go. */
export const middleware: Route.MiddlewareFunction[] = [
  async ({ request, context }) => {
    if (context.get(viewerContext)) return;
    const { flash } = context.get(servicesContext);
    const url = new URL(request.url);
    const cookie = await flash.write({ kind: "info", text: SIGN_IN_TEXTS.required, duration: 3000 });
    throw redirect(`/auth?to=${encodeURIComponent(url.pathname.replace(/\.data$/, "") + url.search)}`, { headers: { "Set-Cookie": cookie } });
  },
];

export function loader() {
  return null;
}

export default function MemberLayout() {
  const root = useRouteLoaderData<typeof rootLoader>("root");
  useLive();
  return (
    <Shell viewer={root?.viewer ?? null} counts={root?.counts ?? { cart: 0, wishlist: 0, unread: 0 }}>
      <Outlet />
    </Shell>
  );
}
