import { DurableObject } from "cloudflare:workers";
import { type LiveEvent, liveSignalSchema } from "#app/live/live-events.ts";
import { CLOSE_SESSION_ENDED, CLOSE_TOO_MANY, LIVE_VERSION } from "#app/live/live-protocol.ts";
import { findSessionProfile } from "#app/accounts/viewer.server.ts";
import { mayTypeTo } from "#app/messaging/conversations/has-conversation.server.ts";
import type { Env } from "#workers/env.ts";
import { openDatabaseOf } from "#workers/services.ts";
import { EPOCH_HEADER, SESSION_HEADER, USER_HEADER } from "./hub-headers.ts";

/** Sockets that one user may have open. Opening one more closes the oldest. */
const MAX_SOCKETS = 10;
/** The longest message a page may send, in characters. Our pages send shorter ones. */
const MAX_SIGNAL = 500;
/**
 * How many messages one page may send within a window of so many ms. Our pages send fewer, so more closes the socket.
 */
const SIGNALS = { max: 40, windowMs: 10_000 };
/** The least time between two typing notices to the same user, ms. */
const TYPING_EVERY_MS = 2_000;
/** How long the answer to "may these two message each other?" is kept, ms. */
const PERMISSION_MS = 60_000;

const CLOSE_UNREADABLE = 1003;
const CLOSE_MISUSE = 1008;
const CLOSE_TOO_BIG = 1009;
const CLOSE_SERVER_ERROR = 1011;

/** The state attached to a socket. It survives hibernation. */
interface Attachment {
  userId: string;
  sessionId: string;
  /** Ms since 1970, as all times here. */
  openedAt: number;
  windowStart: number;
  signals: number;
  typing: { to: string; allowed: boolean; askedAt: number; toldAt: number } | null;
}

/**
 * One user's live channel: their open pages, and nothing authoritative. Sockets hibernate; "ping" is answered without
 * waking.
 */
export class UserHub extends DurableObject<Env> {
  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    state.setWebSocketAutoResponse(new WebSocketRequestResponsePair("ping", "pong"));
  }

  /**
   * The upgrade. The worker has read the session and checked the origin before; whether it is still alive is checked
   * here.
   */
  override async fetch(request: Request): Promise<Response> {
    const userId = request.headers.get(USER_HEADER);
    if (request.headers.get("Upgrade")?.toLowerCase() !== "websocket" || !userId)
      return new Response("Expected a WebSocket", { status: 426 });
    const pair = new WebSocketPair();
    const now = Date.now();
    const sessionId = request.headers.get(SESSION_HEADER) ?? "";
    this.ctx.acceptWebSocket(pair[1]);
    attach(pair[1], { userId, sessionId, openedAt: now, windowStart: now, signals: 0, typing: null });
    // The hub checks the session after it has the socket. If the session ends meanwhile, this check finds it, or the
    // end of the session closes the socket.
    const epoch = Number(request.headers.get(EPOCH_HEADER));
    try {
      if (!(await findSessionProfile(openDatabaseOf(this.env), { id: sessionId, userId, epoch }))) {
        closeQuietly(pair[1], CLOSE_SESSION_ENDED, "session ended");
        return new Response("The session has ended", { status: 401 });
      }
    } catch (error) {
      closeQuietly(pair[1], CLOSE_SERVER_ERROR, "server error");
      throw error;
    }
    this.#closeOldest();
    return new Response(null, { status: 101, webSocket: pair[0] });
  }

  #closeOldest(): void {
    const sockets = this.ctx.getWebSockets().filter(({ readyState }) => readyState === WebSocket.OPEN);
    const oldest = sockets.toSorted((a, b) => (attached(a)?.openedAt ?? 0) - (attached(b)?.openedAt ?? 0));
    for (const socket of oldest.slice(0, Math.max(0, sockets.length - MAX_SOCKETS)))
      closeQuietly(socket, CLOSE_TOO_MANY, "too many pages");
  }

  /** Sends an event to every open page. */
  notify(event: LiveEvent): void {
    const text = JSON.stringify({ v: LIVE_VERSION, ...event });
    for (const socket of this.ctx.getWebSockets()) {
      try {
        socket.send(text);
      } catch {
        // The socket has just closed. The page catches up when it reconnects.
      }
    }
  }

  /** Closes the channel of every open page, or of one session's pages, because they are logged out. */
  endSessions(sessionId?: string): void {
    for (const socket of this.ctx.getWebSockets()) {
      if (sessionId === undefined || attached(socket)?.sessionId === sessionId)
        closeQuietly(socket, CLOSE_SESSION_ENDED, "session ended");
    }
  }

  /** Ignores unreadable messages and closes a socket that sends too many. A page can harm only its own socket. */
  override async webSocketMessage(socket: WebSocket, message: string | ArrayBuffer): Promise<void> {
    const own = attached(socket);
    if (!own || typeof message !== "string") return closeQuietly(socket, CLOSE_UNREADABLE, "text only");
    if (message.length > MAX_SIGNAL) return closeQuietly(socket, CLOSE_TOO_BIG, "too long");
    const now = Date.now();
    const counted =
      now - own.windowStart > SIGNALS.windowMs
        ? { ...own, windowStart: now, signals: 1 }
        : { ...own, signals: own.signals + 1 };
    attach(socket, counted);
    if (counted.signals > SIGNALS.max) return closeQuietly(socket, CLOSE_MISUSE, "too many messages");
    const to = readTyping(message);
    if (to !== null) await this.#tellTyping(socket, counted, to, now);
  }

  /** Tells the other user's pages that this user is typing, if the two have a conversation. */
  async #tellTyping(socket: WebSocket, own: Attachment, to: string, now: number): Promise<void> {
    const last = own.typing?.to === to ? own.typing : null;
    if (last && now - last.toldAt < TYPING_EVERY_MS) return;
    const known = last !== null && now - last.askedAt < PERMISSION_MS;
    // Noted before the check, so that notices arriving meanwhile start no second check.
    attach(socket, {
      ...own,
      typing: { to, allowed: known && last.allowed, askedAt: known ? last.askedAt : now, toldAt: now },
    });
    const allowed = known ? last.allowed : await this.#mayType(own.userId, to);
    if (!allowed) return;
    // What the page sent meanwhile was counted.
    if (!known) attach(socket, { ...(attached(socket) ?? own), typing: { to, allowed, askedAt: now, toldAt: now } });
    try {
      await this.env.USER_HUB.getByName(to).notify({ type: "typing", by: own.userId });
    } catch {
      // A lost typing notice does no harm.
    }
  }

  async #mayType(userId: string, to: string): Promise<boolean> {
    try {
      return await mayTypeTo(openDatabaseOf(this.env), userId, to);
    } catch {
      return false;
    }
  }
}

/** The user whom a typing notice is for; null for any other message. */
function readTyping(message: string): string | null {
  try {
    const parsed = liveSignalSchema.safeParse(JSON.parse(message));
    return parsed.success ? parsed.data.to : null;
  } catch {
    return null;
  }
}

function attach(socket: WebSocket, attachment: Attachment): void {
  socket.serializeAttachment(attachment);
}

/** Reads the state that `attach` wrote. */
function attached(socket: WebSocket): Attachment | null {
  return socket.deserializeAttachment() as Attachment | null;
}

function closeQuietly(socket: WebSocket, code: number, reason: string): void {
  try {
    socket.close(code, reason);
  } catch {
    // Closed already.
  }
}
