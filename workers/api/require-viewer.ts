import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import type { HtmlEscapedString } from "hono/utils/html";
import { pageOfForm, PROFILE_FIRST_TEXT, SIGN_IN_TEXTS, withReturnPath } from "#app/accounts/login/account-rules.ts";
import type { SessionIdentity } from "#app/accounts/login/session.server.ts";
import { findViewer, type Viewer } from "#app/accounts/viewer.server.ts";
import { readForm } from "#app/request/form-data.server.ts";
import type { Services } from "#app/request/services.ts";
import type { HttpEnv } from "#workers/http-env.ts";
import { MAX_FORM } from "./endpoint.ts";
import { refuse } from "./refuse.ts";

/** The context of handlers behind `requireViewer`. */
export interface ViewerEnv extends HttpEnv {
  Variables: HttpEnv["Variables"] & {
    session: SessionIdentity;
    viewer: Viewer;
    /** False if the session ends with the browser. */
    isKept: boolean;
  };
}

/** Who sends the request; null where nobody is logged in. */
export async function readViewer(
  { sessions, db }: Services,
  request: Request,
): Promise<{ viewer: Viewer; session: SessionIdentity; isKept: boolean } | null> {
  const session = await sessions.read(request);
  const viewer = session && (await findViewer(db, session.identity));
  return viewer && { viewer, session: session.identity, isKept: session.kept };
}

/** The page for browsers without scripts that holds what was sent; null where nothing would be lost. */
type HoldForm = (sent: FormData, from: string, login: string) => HtmlEscapedString | Promise<HtmlEscapedString> | null;

/**
 * Lets only people who are logged in pass, and refuses everybody else with `refuseLoggedOut`. Whoever changes something
 * needs a complete profile, as on the screens.
 */
export function requireViewer(error: string = SIGN_IN_TEXTS.required, holdForm: HoldForm = () => null) {
  return createMiddleware<ViewerEnv>(async (c, next) => {
    const found = await readViewer(c.get("services"), c.req.raw);
    if (!found) return refuseLoggedOut(c, error, await plainFormOf(c.req.raw), holdForm);
    if (c.req.method !== "GET" && !found.viewer.profileComplete) return refuse(c, 403, PROFILE_FIRST_TEXT);
    c.set("viewer", found.viewer);
    c.set("session", found.session);
    c.set("isKept", found.isKept);
    return next();
  });
}

/**
 * Answers 401 with this error. A form sent without scripts names the page that it was on: its sender logs in and
 * returns there.
 */
async function refuseLoggedOut(c: Context<ViewerEnv>, error: string, sent: FormData | null, holdForm: HoldForm) {
  const page = pageOfForm(sent?.get("from"));
  if (!sent || page === null) return refuse(c, 401, error);
  const login = withReturnPath("/auth", page);
  const held = holdForm(sent, page, login);
  if (held) return c.html(held, 401);
  c.header("Set-Cookie", await c.get("services").flash.write({ kind: "info", text: error }));
  return c.redirect(login, 303);
}

/** A form that may have been sent without scripts; null for everything else. */
async function plainFormOf(request: Request): Promise<FormData | null> {
  if (request.method !== "POST" || !/^(multipart|application\/x-www)/.test(request.headers.get("Content-Type") ?? ""))
    return null;
  const sent = await readForm(request, MAX_FORM);
  return sent.ok ? sent.form : null;
}
