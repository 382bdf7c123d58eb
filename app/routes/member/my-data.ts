import { redirect } from "react-router";
import type { Route } from "./+types/my-data.ts";
import { withReturnPath } from "#app/accounts/login/account-rules.ts";
import { CONFIRMED_FOR_MS } from "#app/accounts/two-step/two-step-rules.ts";
import { TOO_MANY_REQUESTS } from "#app/platform/rate-limit-rules.ts";
import { requireViewer, servicesContext } from "#app/request/context.ts";
import { writeMyData } from "#app/screens/my-data/my-data-file.ts";
import { readMyData } from "#app/screens/my-data/my-data.server.ts";

/** What we hold of the viewer, as a file. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const services = context.get(servicesContext);
  const { id, confirmed } = requireViewer(context);
  // A borrowed session doesn't take everything along. The page that asks can't lead to a file, so it leads back to the
  // button.
  if (services.now() >= confirmed.at + CONFIRMED_FOR_MS)
    return redirect(withReturnPath("/auth/confirm", "/settings?for=my-data"));
  if (!(await services.limits.write(id))) return new Response(TOO_MANY_REQUESTS, { status: 429 });
  const { origin } = new URL(request.url);
  const file = writeMyData(await readMyData(services, id), origin, services.now());
  return new Response(file, {
    headers: {
      "Content-Type": "application/json; charset=utf-8",
      "Content-Disposition": 'attachment; filename="chuoni-my-data.json"',
      "Cache-Control": "private, no-store",
    },
  });
}
