import { createMiddleware } from "hono/factory";
import { SIGN_IN_TEXTS } from "#app/accounts/account-rules.ts";
import type { SessionIdentity } from "#app/accounts/session.server.ts";
import { findViewer, type Viewer } from "#app/accounts/viewer.server.ts";
import type { Services } from "#app/request/services.ts";
import type { HttpEnv } from "#workers/http-env.ts";
import { refuse } from "./refuse.ts";

/** The context of handlers behind `requireViewer`. */
export interface ViewerEnv extends HttpEnv {
  Variables: HttpEnv["Variables"] & { viewer: Viewer; session: SessionIdentity };
}

/** Who sends the request; null where nobody is logged in. */
export async function readViewer(
  { sessions, db }: Services,
  request: Request,
): Promise<{ viewer: Viewer; session: SessionIdentity } | null> {
  const session = await sessions.read(request);
  const viewer = session && (await findViewer(db, session.identity));
  return viewer && { viewer, session: session.identity };
}

/** Lets only people who are logged in pass. Everybody else gets 401 with this error. */
export function requireViewer(error: string = SIGN_IN_TEXTS.required) {
  return createMiddleware<ViewerEnv>(async (c, next) => {
    const found = await readViewer(c.get("services"), c.req.raw);
    if (!found) return refuse(c, 401, error);
    c.set("viewer", found.viewer);
    c.set("session", found.session);
    return next();
  });
}
