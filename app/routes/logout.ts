import { redirect } from "react-router";
import type { Route } from "./+types/logout.ts";
import { endSessions } from "#app/accounts/sign-in.server.ts";
import { servicesContext, viewerContext } from "#app/request/context.ts";

export function loader() {
  return redirect("/");
}

/** Ends the session here and everywhere else; whatever fails, this browser is signed out (accounts spec §4). */
export async function action({ request, context }: Route.ActionArgs) {
  const services = context.get(servicesContext);
  const viewer = context.get(viewerContext);
  const headers = new Headers();
  let failed = false;
  try {
    if (viewer) await endSessions(services, viewer.id);
    if (viewer) services.defer(services.notifier.endSessions(viewer.id));
  } catch (error) {
    failed = true;
    services.log({ event: "sign_out_failed", level: "error", error: String(error) });
  }
  headers.append("Set-Cookie", await services.sessions.end(request));
  headers.append(
    "Set-Cookie",
    await services.flash.write(
      failed ? { kind: "error", text: "Failed to log out" } : { kind: "success", text: "Logged out successfully" },
    ),
  );
  return redirect("/auth", { headers });
}
