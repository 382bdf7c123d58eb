import { randomBytes } from "node:crypto";
import { type Cookie, createCookie, createSessionStorage, type Session } from "react-router";
import type { Logging, Store } from "#app/db/client.ts";
import { continueSubscription } from "#app/notifications/push/push-subscriptions.server.ts";
import type { Notifier } from "#app/live/live-events.ts";
import { type Devices, isPhone } from "./devices.server.ts";
import { endSession } from "./sign-in.server.ts";
import { SESSION_LIFE_S, SHORT_SESSION_LIFE_S } from "./account-rules.ts";

/** The value of a session in KV. */
interface SessionData {
  userId: string;
  /** Compared with the epoch in the database at each request. */
  epoch: number;
  /** False if the session ends with the browser. */
  kept: boolean;
  confirmed: Confirmation;
  /** When it was made or renewed, ms since 1970. Tells when to renew it. */
  startedAt: number;
}

/** How the user of a session last showed who they are. */
export interface Confirmation {
  /** Ms since 1970. */
  at: number;
  /** 2: with the second step of the login, too. */
  steps: 1 | 2;
}

/** The session of a request and its user. The database knows whether it is still valid. */
export interface SessionIdentity {
  id: string;
  userId: string;
  epoch: number;
  confirmed: Confirmation;
}

/** The login sessions. A signed cookie names an entry in KV. */
export interface Sessions {
  /** Whether the request carries a session's cookie that we have signed. The session may have ended. */
  isCarriedBy(request: Request): Promise<boolean>;
  /** `renewal`: half of the session's life has passed, so it should be renewed. */
  read(request: Request): Promise<{ identity: SessionIdentity; kept: boolean; renewal: boolean } | null>;
  /**
   * Returns the Set-Cookie header of a session with a new id. If the request has a session, that one ends. A session
   * that isn't kept ends when the browser closes, and after a much shorter time without use. Without `confirmed`, they
   * have just shown who they are, in one step.
   */
  start(
    request: Request,
    session: { userId: string; epoch: number; kept?: boolean; confirmed?: Confirmation },
  ): Promise<string>;
  /** The id of the session that a Set-Cookie header names. */
  idIn(setCookie: string): Promise<string>;
  /** Gives the request's session its full life again. Returns the Set-Cookie header. */
  renew(request: Request): Promise<string>;
  /** Returns the Set-Cookie header that ends the request's session in this browser. */
  end(request: Request): Promise<string>;
}

/**
 * `secrets`: the newest first. Cookies signed with older ones are still read. Over HTTPS the cookie is `__Host-` and
 * Secure.
 */
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
  });
  const storage = storeSessions(kv, cookie);

  function lifeOf(session: Session<SessionData>): number {
    return session.get("kept") === false ? SHORT_SESSION_LIFE_S : SESSION_LIFE_S;
  }

  async function commit(session: Session<SessionData>): Promise<string> {
    session.set("startedAt", options.now());
    const written = await storage.commitSession(session, { maxAge: lifeOf(session) });
    // KV forgets the entry in any case. The browser drops a cookie without an age when it closes.
    return session.get("kept") === false ? written.replaceAll(/; (Max-Age|Expires)=[^;]*/gi, "") : written;
  }

  return {
    // An empty cookie parses as an empty text.
    isCarriedBy: async (request) => Boolean(await cookie.parse(request.headers.get("Cookie"))),
    async read(request) {
      const session = await storage.getSession(request.headers.get("Cookie"));
      const { userId, epoch, kept, confirmed, startedAt } = session.data;
      if (userId === undefined || epoch === undefined || !confirmed || startedAt === undefined) return null;
      return {
        identity: { id: session.id, userId, epoch, confirmed },
        kept: kept !== false,
        renewal: options.now() - startedAt > (lifeOf(session) * 1000) / 2,
      };
    },
    async start(request, { userId, epoch, kept = true, confirmed = { at: options.now(), steps: 1 } }) {
      const previous = await storage.getSession(request.headers.get("Cookie"));
      if (previous.id) await storage.destroySession(previous);
      const session = await storage.getSession();
      session.set("userId", userId);
      session.set("epoch", epoch);
      session.set("kept", kept);
      session.set("confirmed", confirmed);
      return commit(session);
    },
    idIn: async (setCookie) => String(await cookie.parse(setCookie)),
    async renew(request) {
      return commit(await storage.getSession(request.headers.get("Cookie")));
    },
    async end(request) {
      const session = await storage.getSession(request.headers.get("Cookie"));
      // A browser without a session may log out, too.
      return session.id ? storage.destroySession(session) : cookie.serialize("", { expires: new Date(0) });
    },
  };
}

/** Sessions as entries of KV, each under its id. An entry without an age stays until it is deleted. */
function storeSessions(kv: KVNamespace, cookie: Cookie) {
  async function put(id: string, data: unknown, expires: Date | undefined): Promise<void> {
    await kv.put(id, JSON.stringify(data), expires && { expiration: Math.round(expires.getTime() / 1000) });
  }
  return createSessionStorage<SessionData>({
    cookie,
    async createData(data, expires) {
      const id = randomBytes(16).toString("base64url");
      await put(id, data, expires);
      return id;
    },
    readData: (id) => kv.get(id, "json"),
    updateData: put,
    deleteData: (id) => kv.delete(id),
  });
}

/** What ends a session on its browser. */
export interface LeavingServices extends Store, Logging {
  sessions: Sessions;
  notifier: Pick<Notifier, "endSessions">;
  defer(work: Promise<unknown>): void;
}

/** Ends a session everywhere, with its live connections and its device's notifications. Its cookie is the caller's. */
export async function leaveSession(services: LeavingServices, { id, userId }: SessionIdentity): Promise<void> {
  try {
    await endSession(services, { id, userId });
  } finally {
    services.defer(services.notifier.endSessions(userId, id));
  }
}

/**
 * Whoever else was logged in on this browser no longer is, and is told nothing more there. Where the database can't
 * record it, `userId` goes on logging in all the same, because what they came with is used up by now. Returns their own
 * earlier session.
 */
export async function leaveOthers(
  services: LeavingServices,
  request: Request,
  userId: string,
): Promise<SessionIdentity | null> {
  const previous = (await services.sessions.read(request))?.identity;
  if (!previous || previous.userId === userId) return previous ?? null;
  try {
    await leaveSession(services, previous);
  } catch (error) {
    services.log({ event: "session_not_ended", level: "error", userId: previous.userId, error: String(error) });
  }
  return null;
}

interface SignInServices extends LeavingServices {
  devices: Devices;
}

/**
 * The cookies of a user who has just logged in: a new session, and the device that now knows the account. Without
 * `kept`, they stay logged in on a phone only. Whoever else was logged in on this browser no longer is (`leaveOthers`).
 * If it was the same user, the notifications of this browser go on with the new session.
 */
export async function signInHeaders(
  services: SignInServices,
  request: Request,
  who: { userId: string; epoch: number; email: string; kept?: boolean; confirmed?: Confirmation },
): Promise<Headers> {
  const { userId, epoch, confirmed, kept = isPhone(request.headers) } = who;
  const previous = await leaveOthers(services, request, userId);
  const headers = new Headers();
  const started = await services.sessions.start(request, { userId, epoch, kept, confirmed });
  if (previous) {
    const id = await services.sessions.idIn(started);
    services.defer(continueSubscription(services, previous, { id, epoch }));
  }
  headers.append("Set-Cookie", started);
  headers.append("Set-Cookie", await services.devices.remember(request, who.email));
  return headers;
}

/**
 * The cookies after a change of the account that has ended all its sessions: this browser goes on with a new one, kept
 * as long as the one before. The live connections of the others end, and the emails about the change leave.
 */
export async function headersAfterChange(
  services: SignInServices & { drainOutbox(): void },
  request: Request,
  who: { userId: string; epoch: number; email: string; confirmed: Confirmation },
): Promise<Headers> {
  services.defer(services.notifier.endSessions(who.userId));
  services.drainOutbox();
  const kept = (await services.sessions.read(request))?.kept;
  return signInHeaders(services, request, { ...who, kept });
}
