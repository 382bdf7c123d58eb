import { createWorkersKVSessionStorage } from "@react-router/cloudflare";
import { createCookie, type Session } from "react-router";
import type { Devices } from "./devices.server.ts";
import { SESSION_LIFE_S } from "./rules.ts";

/** What a session holds. The epoch is checked against the database at each request. */
export interface SessionData {
  userId: string;
  epoch: number;
  /** Milliseconds since 1970; tells when to renew. */
  startedAt: number;
}

export interface SessionIdentity {
  userId: string;
  epoch: number;
}

/** Reads and writes the sign-in session: a signed cookie names an entry in KV, which lives 30 days from its last renewal. */
export interface Sessions {
  read(request: Request): Promise<{ identity: SessionIdentity; renewal: boolean } | null>;
  /** The Set-Cookie of a new session with a new id; the request's own session, if any, ends. */
  start(request: Request, identity: SessionIdentity): Promise<string>;
  /** The Set-Cookie that ends the request's session. */
  end(request: Request): Promise<string>;
}

/** `secrets`: newest first; older ones still verify. Over HTTPS the cookie is `__Host-` and Secure. */
export function createSessions(
  kv: KVNamespace,
  options: { secrets: string[]; secure: boolean; now(): number },
): Sessions {
  const cookie = createCookie(options.secure ? "__Host-session" : "session", {
    secrets: options.secrets,
    httpOnly: true,
    sameSite: "lax",
    secure: options.secure,
    path: "/",
    maxAge: SESSION_LIFE_S,
  });
  const storage = createWorkersKVSessionStorage<SessionData>({ cookie, kv });

  function identityOf(session: Session<SessionData>): SessionIdentity | null {
    const userId = session.get("userId");
    const epoch = session.get("epoch");
    return typeof userId === "string" && typeof epoch === "number" ? { userId, epoch } : null;
  }

  return {
    async read(request) {
      const session = await storage.getSession(request.headers.get("Cookie"));
      const identity = identityOf(session);
      if (!identity) return null;
      const age = options.now() - (session.get("startedAt") ?? 0);
      return { identity, renewal: age > (SESSION_LIFE_S * 1000) / 2 };
    },
    async start(request, identity) {
      const previous = await storage.getSession(request.headers.get("Cookie"));
      if (previous.id) await storage.destroySession(previous);
      const session = await storage.getSession();
      session.set("userId", identity.userId);
      session.set("epoch", identity.epoch);
      session.set("startedAt", options.now());
      return storage.commitSession(session);
    },
    async end(request) {
      const session = await storage.getSession(request.headers.get("Cookie"));
      // A browser that has no session may say good-bye all the same.
      return session.id
        ? storage.destroySession(session)
        : cookie.serialize("", { expires: new Date(0), maxAge: undefined });
    },
  };
}

/** The cookies of somebody who just signed in: a new session, and the device that now knows them. */
export async function signInHeaders(
  services: { sessions: Sessions; devices: Devices },
  request: Request,
  who: SessionIdentity & { email: string },
): Promise<Headers> {
  const headers = new Headers();
  headers.append("Set-Cookie", await services.sessions.start(request, { userId: who.userId, epoch: who.epoch }));
  headers.append("Set-Cookie", await services.devices.remember(request, who.email));
  return headers;
}
