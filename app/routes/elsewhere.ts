import { data, redirect } from "react-router";
import type { Route } from "./+types/elsewhere.ts";
import { SIGN_IN_TEXTS } from "#app/accounts/rules.ts";
import { servicesContext, viewerContext } from "#app/context.ts";

/** Any other path goes home, or to sign-in; what is not a page (a picture, a script) is simply not there. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const path = new URL(request.url).pathname;
  const isPage = !/\.[a-z0-9]{2,5}$/i.test(path) && ["document", "empty", null].includes(request.headers.get("Sec-Fetch-Dest"));
  if (!isPage) throw data(null, { status: 404 });
  if (context.get(viewerContext)) throw redirect("/home");
  const cookie = await context.get(servicesContext).flash.write({ kind: "info", text: SIGN_IN_TEXTS.required, duration: 3000 });
  throw redirect("/auth", { headers: { "Set-Cookie": cookie } });
}

export function action() {
  throw data(null, { status: 404 });
}
