import { type LiveEvent, liveEventSchema } from "#app/accounts/notifier.ts";

interface LiveHandlers {
  onEvent(event: LiveEvent): void;
  /** The channel was gone for a while and is back. */
  onReconnect(): void;
  /** The session this page was opened with has ended; a page that is still there when this is done has a new one. */
  onSessionEnded(): Promise<void>;
}

/** Accounts spec §9: heartbeat, and the pauses before each new try, ms. */
const HEARTBEAT_MS = 30_000;
const RECONNECT_MS = [1_000, 2_000, 5_000, 10_000];
/** The server's word that the session is over: no use in trying again with it. */
const CLOSE_SESSION_ENDED = 4001;

/** Opens this page's live channel and keeps it open; returns what closes it. Without it everything still works by polling. */
export function openLiveConnection(handlers: LiveHandlers): () => void {
  let socket: WebSocket | undefined;
  let tries = 0;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let heartbeat: ReturnType<typeof setInterval> | undefined;
  let closed = false;

  function connect() {
    const reconnecting = tries > 0;
    socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/live`);
    socket.addEventListener("open", () => {
      tries = 0;
      heartbeat = setInterval(() => socket?.send("ping"), HEARTBEAT_MS);
      if (reconnecting) handlers.onReconnect();
    });
    socket.addEventListener("message", (message) => {
      const event = readEvent(message.data);
      if (event) handlers.onEvent(event);
    });
    socket.addEventListener("close", ({ code }) => {
      clearInterval(heartbeat);
      if (closed) return;
      if (code === CLOSE_SESSION_ENDED) {
        void handlers.onSessionEnded().then(() => closed || connect());
        return;
      }
      const pause = RECONNECT_MS[Math.min(tries, RECONNECT_MS.length - 1)] ?? 10_000;
      tries += 1;
      retry = setTimeout(connect, pause * (0.75 + Math.random() / 2));
    });
  }

  connect();
  return () => {
    closed = true;
    clearTimeout(retry);
    clearInterval(heartbeat);
    socket?.close();
  };
}

function readEvent(text: unknown): LiveEvent | null {
  if (typeof text !== "string" || text === "pong") return null;
  try {
    const parsed = liveEventSchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
