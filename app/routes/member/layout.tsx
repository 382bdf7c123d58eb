import { Outlet, redirect, useRouteLoaderData } from "react-router";
import type { Route } from "./+types/layout.ts";
import { SIGN_IN_TEXTS } from "#app/accounts/rules.ts";
import { servicesContext, viewerContext } from "#app/context.ts";
import { BasketProvider, useBasket } from "#app/basket/components/basket-provider.tsx";
import type { loader as rootLoader } from "#app/root.tsx";
import { ISSUE_TEXTS } from "#app/orders/rules.ts";
import { useLive } from "#app/messaging/components/use-live.ts";
import { TutorialGate, useTutorialRestart } from "#app/tutorial/components/tutorial-gate.tsx";
import { Shell } from "#app/ui/shell.tsx";

/** Screens for signed-in users; a visitor is sent to sign in and comes back to where they wanted to go. */
export const middleware: Route.MiddlewareFunction[] = [
  async ({ request, context }) => {
    if (context.get(viewerContext)) return;
    const { flash } = context.get(servicesContext);
    const url = new URL(request.url);
    const cookie = await flash.write({ kind: "info", text: await signedOutText(request), duration: 3000 });
    throw redirect(`/auth?to=${encodeURIComponent(url.pathname.replace(/\.data$/, "") + url.search)}`, { headers: { "Set-Cookie": cookie } });
  },
];

/** What a form's intent says to someone whose session ended while they wrote (commerce spec §5). */
const SIGNED_OUT_TEXTS = new Map([["report", ISSUE_TEXTS.signedOut]]);

async function signedOutText(request: Request): Promise<string> {
  if (request.method !== "POST") return SIGN_IN_TEXTS.required;
  const form = await request.clone().formData().catch(() => null);
  return SIGNED_OUT_TEXTS.get(String(form?.get("intent"))) ?? SIGN_IN_TEXTS.required;
}

export function loader() {
  return null;
}

export default function MemberLayout() {
  const root = useRouteLoaderData<typeof rootLoader>("root");
  useLive();
  return (
    <BasketProvider viewerId={root?.viewer?.id ?? ""} saved={root?.basket ?? { cart: [], wishlist: [] }}>
      <MemberShell viewer={root?.viewer ?? null} unread={root?.counts.unread ?? 0} />
      <TutorialGate />
    </BasketProvider>
  );
}

/** Counts what cart and wishlist hold, changes included that are still on their way. */
function MemberShell({ viewer, unread }: { viewer: { email: string } | null; unread: number }) {
  const basket = useBasket();
  const restartTutorial = useTutorialRestart();
  return (
    <Shell viewer={viewer} counts={{ cart: basket?.cart.size ?? 0, wishlist: basket?.wishlist.size ?? 0, unread }} onRestartTutorial={restartTutorial}>
      <Outlet />
    </Shell>
  );
}
