import type { Route } from "./+types/offline-copy.ts";
import { requireViewer, servicesContext } from "#app/request/context.ts";
import { makeOfflineCopy } from "#app/screens/offline/offline-copy.server.ts";

/**
 * The offline copy, as JSON. Null for a session that ends with its browser, as on a computer in a lab: nothing must
 * stay there.
 */
export async function loader({ request, context }: Route.LoaderArgs) {
  const viewer = requireViewer(context);
  const services = context.get(servicesContext);
  const session = await services.sessions.read(request);
  if (!session?.kept) return Response.json(null);
  return Response.json(await makeOfflineCopy(services, { viewerId: viewer.id, cookie: request.headers.get("Cookie") }));
}
