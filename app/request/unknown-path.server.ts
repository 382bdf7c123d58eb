import { redirect, type RouterContextProvider } from "react-router";
import { SIGN_IN_TEXTS } from "#app/accounts/rules.ts";
import { servicesContext, viewerContext } from "./context.ts";

/**
 * What a path without a screen answers: it leads home, or to sign-in; what is not a page (a picture, a script, a form) is simply
 * not there. Screens that somebody may not know of answer with exactly this.
 */
export async function respondUnknownPath({
  request,
  context,
}: {
  request: Request;
  context: Readonly<RouterContextProvider>;
}): Promise<Response> {
  const path = new URL(request.url).pathname.replace(/\.data$/, "");
  const isPage =
    !/\.[a-z0-9]{2,5}$/i.test(path) && ["document", "empty", null].includes(request.headers.get("Sec-Fetch-Dest"));
  // Answered as it is: a page drawn by the router would name the route that was asked for.
  if (!isPage || !["GET", "HEAD"].includes(request.method))
    return new Response("Not found", { status: 404, headers: { "Content-Type": "text/plain; charset=utf-8" } });
  if (context.get(viewerContext)) throw redirect("/home");
  const cookie = await context
    .get(servicesContext)
    .flash.write({ kind: "info", text: SIGN_IN_TEXTS.required, duration: 3000 });
  throw redirect("/auth", { headers: { "Set-Cookie": cookie } });
}
