import "./document/harmless-rejections.ts";
import "./ui/browser/translated-texts.ts";
import "./ui/browser/install-prompt.ts";
import { useContext, useEffect } from "react";
import { data, Outlet, useRouteLoaderData } from "react-router";
import type { Route } from "./+types/root.ts";
import { AnswerContext } from "./ui/page/answer-context.ts";
import { requestContext, servicesContext, viewerContext } from "./request/context.ts";
import { noteArrival } from "#app/accounts/login/arrival-flags.ts";
import { findViewer } from "./accounts/viewer.server.ts";
import { NextScreen } from "#app/screens/pending/next-screen.tsx";
import { basketAction } from "./screens/actions/basket-action.server.ts";
import { passToServer } from "./basket/components/basket-changes.ts";
import { forgetPrivate } from "./platform/private-storage.ts";
import { brand } from "./ui/page/brand.ts";
import { readDataSaver } from "./ui/browser/data-saver.ts";
import { Document } from "./document/document.tsx";
import { Failure } from "./ui/feedback/failure.tsx";
import { keepScreen, useShownScreen } from "./ui/browser/shown-screen.ts";
import { waitForScreen } from "./ui/browser/opening-screen.ts";
import { readThemeCookie } from "./ui/page/theme.ts";
import { FlashToast } from "./ui/feedback/toast-host.tsx";
import { replaceAfterBack } from "./ui/browser/back-redirect.ts";
import { useBackClosesLayers } from "./ui/layers/use-back-to-close.ts";

export const middleware: Route.MiddlewareFunction[] = [
  /**
   * Finds out who is logged in, before any guard, loader or action. Renews the session when half its life is over, with
   * an answer of 200 only: others may be asked for twice, and KV takes one write a second.
   */
  async ({ request, context }, next) => {
    const services = context.get(servicesContext);
    const session = await services.sessions.read(request);
    const viewer = session && (await findViewer(services.db, session.identity));
    context.set(viewerContext, viewer);
    const response = await next();
    if (viewer && session?.renewal && response.status === 200 && !response.headers.has("Set-Cookie")) {
      try {
        response.headers.append("Set-Cookie", await services.sessions.renew(request));
      } catch (error) {
        // The next page tries again.
        services.log({ event: "session_renewal_failed", level: "error", error: String(error).slice(0, 200) });
      }
    }
    return response;
  },
];

export const clientMiddleware: Route.ClientMiddlewareFunction[] = [waitForScreen, keepScreen, replaceAfterBack];

export async function loader({ request, context }: Route.LoaderArgs) {
  const { flash } = context.get(servicesContext);
  const viewer = context.get(viewerContext);
  // A public page is the same for every visitor: it shows nothing that a cookie says.
  const cookies = context.get(requestContext).publicPage ? null : request;
  const message = cookies && (await flash.read(cookies));
  return data(
    {
      theme: readThemeCookie(cookies && cookies.headers.get("Cookie")),
      dataSaver: readDataSaver(cookies && cookies.headers.get("Cookie"), request.headers.get("Save-Data")),
      flash: message,
      viewer: viewer && {
        id: viewer.id,
        email: viewer.email,
        fullName: viewer.fullName,
        isSeller: viewer.isSeller,
        isAdmin: viewer.adminRole !== null,
        campus: viewer.campuses.find((name) => name === viewer.campusLocation) ?? null,
        campuses: viewer.campuses,
      },
      counts: viewer?.counts ?? { cart: 0, wishlist: 0, unread: 0, notifications: 0 },
      basket: viewer?.basket ?? { cart: [], wishlist: [] },
    },
    message ? { headers: { "Set-Cookie": await flash.clear() } } : undefined,
  );
}

/**
 * The cart and the wishlist change from every screen, also on a bad connection. So their action belongs to the one
 * route whose script is loaded on every screen.
 */
export const action = (args: Route.ActionArgs) => basketAction(args);

export const clientAction = (args: Route.ClientActionArgs) => passToServer(args);

export function meta() {
  return [{ title: brand.name }, { name: "description", content: brand.description }];
}

export function Layout({ children }: { children: React.ReactNode }) {
  const answer = useContext(AnswerContext);
  const root = useRouteLoaderData<typeof loader>("root");
  return (
    <Document theme={root?.theme ?? null} dataSaver={root?.dataSaver} {...answer}>
      {children}
    </Document>
  );
}

export default function App({ loaderData }: Route.ComponentProps) {
  const { flash } = loaderData;
  useEffect(() => {
    if (flash?.arrival) noteArrival(flash.arrival, flash.tourWaits);
    if (flash?.isGoodbye) forgetPrivate();
  }, [flash]);
  useShownScreen();
  useBackClosesLayers();
  return (
    <>
      <FlashToast flash={flash} />
      <Outlet />
      <NextScreen />
    </>
  );
}

export function ErrorBoundary() {
  return (
    <main className="screen" id="content" tabIndex={-1}>
      <Failure />
    </main>
  );
}
