/**
 * One connection for all tabs of a user: sharing-rules.ts decides, this file does. Where a browser has no locks, each
 * tab has a connection of its own.
 */
import { type LiveSocket, openLiveSocket } from "./live-socket.ts";
import { NEW_TAB, type SharingAction, type SharingEvent, stepSharing, type TabMessage } from "./sharing-rules.ts";
import { MINUTE_MS } from "#app/platform/duration-rules.ts";

/** A tab that has been hidden for this long closes the connection, ms. */
const LONG_HIDDEN_MS = 5 * MINUTE_MS;
/** A tab that holds the connection and does not answer within this time is frozen, ms. */
const ANSWER_MS = 1_500;
/**
 * A page that is younger than this when its connection opens isn't reloaded, ms. If something happened in so short a
 * time, the page shows it with its next reload.
 */
const FRESH_MS = 3_000;

export interface SharedHandlers {
  onText(text: string): void;
  /** The connection works. `missed`: something may have happened before it did. */
  onUp(missed: boolean): void;
  onDown(): void;
  onSessionEnded(): Promise<void>;
}

export interface SharedConnection {
  send(text: string): void;
  close(): void;
}

/** `name`: the same for all tabs of one user. */
export function shareConnection(name: string, handlers: SharedHandlers): SharedConnection {
  const canShare = "locks" in navigator && typeof BroadcastChannel === "function";
  const channel = canShare ? new BroadcastChannel(name) : null;
  const lock = openLock(canShare ? name : null, {
    onGranted() {
      on({ type: "lock-granted" });
      return state.role === "holding";
    },
    onLost: () => on({ type: "lock-lost" }),
  });
  const startedAt = Date.now();
  let state = NEW_TAB;
  let socket: LiveSocket | null = null;
  let answer: ReturnType<typeof setTimeout> | undefined;

  function on(event: SharingEvent) {
    const [next, actions] = stepSharing(state, event);
    state = next;
    for (const action of actions) carryOut(action);
  }

  function carryOut(action: SharingAction): void {
    switch (action.do) {
      case "queue":
        return lock.queue(false);
      case "steal":
        return lock.queue(true);
      case "leave-queue":
        return lock.leaveQueue();
      case "release":
        return lock.release();
      case "open":
        socket = open();
        return;
      case "close":
        socket?.close();
        socket = null;
        return;
      case "wake":
        return socket?.wake();
      case "send":
        return socket?.send(action.text);
      case "tell-tabs":
        return tellTabs(action.message);
      case "await-answer":
        clearTimeout(answer);
        answer = setTimeout(() => on({ type: "no-answer" }), ANSWER_MS);
        return;
      case "stop-awaiting":
        return clearTimeout(answer);
      case "report-up":
        return handlers.onUp(action.missed);
      case "report-down":
        return handlers.onDown();
      case "report-text":
        return handlers.onText(action.text);
      case "report-ended":
        void handlers.onSessionEnded();
    }
  }

  function tellTabs(message: TabMessage) {
    // A channel reaches this origin only.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    channel?.postMessage(message);
  }

  function open(): LiveSocket {
    return openLiveSocket({
      onText(text) {
        tellTabs({ is: "text", text });
        handlers.onText(text);
      },
      onUp: () => on({ type: "socket-up", late: Date.now() - startedAt > FRESH_MS }),
      onDown: () => on({ type: "socket-down" }),
      onSessionEnded() {
        tellTabs({ is: "ended" });
        return handlers.onSessionEnded();
      },
    });
  }

  channel?.addEventListener("message", ({ data }: MessageEvent<TabMessage>) => on({ type: "message", message: data }));
  const stopWatching = watchPage((type) => on({ type }));
  on({ type: "start" });
  return {
    send: (text) => on({ type: "send", text }),
    close() {
      on({ type: "stop" });
      channel?.close();
      stopWatching();
    },
  };
}

interface LockHandlers {
  /** Says whether this tab keeps it. */
  onGranted(): boolean;
  /** It had the lock, and another tab took it. */
  onLost(): void;
}

/** The lock of this name, which one tab has at a time. Null: no tab has to wait for another. */
function openLock(name: string | null, { onGranted, onLost }: LockHandlers) {
  /** Gives the lock back. */
  let release: (() => void) | null = null;
  let waiting = new AbortController();
  return {
    /** Waits for the lock; with `steal` takes it from a frozen tab. */
    queue(steal: boolean): void {
      if (name === null) return void onGranted();
      const turn = new AbortController();
      waiting = turn;
      navigator.locks
        .request(name, steal ? { steal } : { signal: turn.signal }, () => {
          if (onGranted()) return new Promise<void>((done) => (release = done));
        })
        .catch(() => {
          // Refused to a tab that has left the queue, or taken away from one that had it.
          if (!release) return;
          release = null;
          onLost();
        });
    },
    leaveQueue: () => waiting.abort(),
    release(): void {
      release?.();
      release = null;
    },
  };
}

/**
 * Tells when somebody is back at this page, when it is left or has been hidden for long, and when the network is back.
 * Returns what ends it.
 */
function watchPage(tell: (what: "shown" | "hidden" | "online") => void): () => void {
  let hiddenTooLong: ReturnType<typeof setTimeout> | undefined;

  function comeBack() {
    clearTimeout(hiddenTooLong);
    tell("shown");
  }

  function hide() {
    tell("hidden");
  }

  function onVisibility() {
    if (document.visibilityState === "visible") return comeBack();
    clearTimeout(hiddenTooLong);
    hiddenTooLong = setTimeout(hide, LONG_HIDDEN_MS);
  }

  const listening = new AbortController();
  const { signal } = listening;
  document.addEventListener("visibilitychange", onVisibility, { signal });
  document.addEventListener("freeze", hide, { signal });
  document.addEventListener("resume", comeBack, { signal });
  addEventListener("focus", comeBack, { signal });
  addEventListener("pageshow", comeBack, { signal });
  addEventListener("pagehide", hide, { signal });
  addEventListener("online", () => tell("online"), { signal });
  return () => {
    clearTimeout(hiddenTooLong);
    listening.abort();
  };
}
