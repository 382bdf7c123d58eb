/** Keeps one WebSocket to /live open: sends heartbeats and reconnects after each loss. */
import { CLOSE_SESSION_ENDED, CLOSE_TOO_MANY } from "./live-protocol.ts";
import { reconnectPause } from "./reconnect-rules.ts";

/** All ms. */
const HEARTBEAT_MS = 30_000;
/** Without an answer to a heartbeat within this time, the connection counts as lost. */
const SILENCE_MS = 10_000;

export interface SocketHandlers {
  onText(text: string): void;
  onUp(): void;
  onDown(): void;
  /** The session has ended. When the promise resolves, there is a new session or the page is leaving. */
  onSessionEnded(): Promise<void>;
}

export interface LiveSocket {
  /** Dropped when the socket isn't open. Nothing important is sent here. */
  send(text: string): void;
  /** Reconnects at once if it is waiting to. */
  wake(): void;
  close(): void;
}

export function openLiveSocket(handlers: SocketHandlers): LiveSocket {
  let socket: WebSocket | null = null;
  let tries = 0;
  let closed = false;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let heartbeat: ReturnType<typeof setInterval> | undefined;
  let pongTimeout: ReturnType<typeof setTimeout> | undefined;

  function connect() {
    clearTimeout(retry);
    const opened = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/live`);
    socket = opened;
    opened.addEventListener("open", () => {
      if (socket !== opened) return;
      tries = 0;
      heartbeat = setInterval(sendPing, HEARTBEAT_MS);
      handlers.onUp();
    });
    opened.addEventListener("message", ({ data }) => {
      if (socket !== opened) return;
      clearTimeout(pongTimeout);
      if (typeof data === "string" && data !== "pong") handlers.onText(data);
    });
    opened.addEventListener("close", ({ code }) => lose(opened, code));
  }

  function sendPing() {
    const pinged = socket;
    pinged?.send("ping");
    clearTimeout(pongTimeout);
    // Closing a dead connection may take minutes.
    pongTimeout = setTimeout(() => pinged && lose(pinged, 0), SILENCE_MS);
  }

  function lose(lost: WebSocket, code: number) {
    if (socket !== lost) return;
    closeSocket();
    handlers.onDown();
    if (closed) return;
    if (code === CLOSE_SESSION_ENDED) void handlers.onSessionEnded().then(() => closed || socket || connect());
    else if (code !== CLOSE_TOO_MANY) {
      retry = setTimeout(connect, reconnectPause(tries, Math.random()));
      tries += 1;
    }
  }

  function closeSocket() {
    clearInterval(heartbeat);
    clearTimeout(pongTimeout);
    clearTimeout(retry);
    const gone = socket;
    socket = null;
    gone?.close();
  }

  connect();
  return {
    send(text) {
      if (socket?.readyState === WebSocket.OPEN) socket.send(text);
    },
    wake() {
      if (!closed && !socket) connect();
    },
    close() {
      closed = true;
      closeSocket();
    },
  };
}
