import { redirect, type RouterContextProvider } from "react-router";
import { SIGN_IN_TEXTS } from "#app/accounts/login/account-rules.ts";
import { requestContext, servicesContext, viewerContext } from "./context.ts";
import { redirectWithFlash } from "#app/platform/flash.server.ts";
import { screenPath } from "./screen-path.ts";

/**
 * Answers a path that has no screen: members are sent home, and visitors to the login. A request for a file (a picture,
 * a script), a form or a public page gets a plain 404. Screens that must stay hidden from somebody return exactly this
 * answer.
 */
export async function respondUnknownPath({
  request,
  context,
}: {
  request: Request;
  context: Readonly<RouterContextProvider>;
}): Promise<Response> {
  const { pathname } = new URL(screenPath(request), request.url);
  const isFile = /\.[a-z0-9]{2,5}$/i.test(pathname) && !/\.html?$/i.test(pathname);
  const { publicPage } = context.get(requestContext);
  const isPage = !isFile && !publicPage && ["document", "empty", null].includes(request.headers.get("Sec-Fetch-Dest"));
  // Plain text, because a page rendered by the router would name the requested route.
  if (!isPage || !["GET", "HEAD"].includes(request.method))
    return new Response("Not found", { status: 404, headers: { "Content-Type": "text/plain; charset=utf-8" } });
  if (context.get(viewerContext)) throw redirect("/home");
  throw await redirectWithFlash(context.get(servicesContext), "/auth", {
    kind: "info",
    text: SIGN_IN_TEXTS.required,
    duration: 3000,
  });
}
