import { DurableObject } from "cloudflare:workers";
import type { LiveEvent } from "#app/accounts/notifier.ts";
import type { Env } from "#workers/env.ts";

/** The oldest socket of a user is closed when they open more than this. */
const MAX_SOCKETS = 10;
const CLOSE_SESSION_ENDED = 4001;
const CLOSE_TOO_MANY = 4002;

/**
 * One user's live channel: their open pages, and nothing authoritative. Sockets hibernate; "ping" is answered without waking.
 */
export class UserHub extends DurableObject<Env> {
  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    state.setWebSocketAutoResponse(new WebSocketRequestResponsePair("ping", "pong"));
  }

  /** The upgrade; the worker has authenticated the user and checked the origin before. */
  override async fetch(request: Request): Promise<Response> {
    if (request.headers.get("Upgrade") !== "websocket") return new Response("Expected a WebSocket", { status: 426 });
    const pair = new WebSocketPair();
    this.ctx.acceptWebSocket(pair[1]);
    pair[1].serializeAttachment({ openedAt: Date.now() });
    this.#closeOldest();
    return new Response(null, { status: 101, webSocket: pair[0] });
  }

  #closeOldest(): void {
    const sockets = this.ctx.getWebSockets().toSorted((a, b) => openedAt(a) - openedAt(b));
    for (const socket of sockets.slice(0, Math.max(0, sockets.length - MAX_SOCKETS))) closeQuietly(socket, CLOSE_TOO_MANY, "too many pages");
  }

  /** Sends an event to every open page. */
  notify(event: LiveEvent): void {
    const text = JSON.stringify({ v: 1, ...event });
    for (const socket of this.ctx.getWebSockets()) {
      try {
        socket.send(text);
      } catch {
        // A socket that just went away; the page catches up when it reconnects.
      }
    }
  }

  /** Closes every open page's channel: the sessions they belong to have ended. */
  endSessions(): void {
    for (const socket of this.ctx.getWebSockets()) closeQuietly(socket, CLOSE_SESSION_ENDED, "session ended");
  }

  override webSocketMessage(): void {
    // Pages only listen.
  }
}

function openedAt(socket: WebSocket): number {
  const attachment: unknown = socket.deserializeAttachment();
  return typeof attachment === "object" && attachment !== null && "openedAt" in attachment ? Number(attachment.openedAt) : 0;
}

function closeQuietly(socket: WebSocket, code: number, reason: string): void {
  try {
    socket.close(code, reason);
  } catch {
    // Closed already.
  }
}
