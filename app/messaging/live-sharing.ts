/**
 * One connection for all tabs of a user. A browser lock, which one tab at a time can hold, decides which tab holds the
 * connection. That tab passes events to the others. When it is closed or stops responding, another tab takes over. In
 * browsers without locks, each tab has its own connection.
 */
import { type LiveSocket, openLiveSocket } from "./live-socket.ts";

/** A tab that is hidden for this long closes the connection, in ms. */
const LONG_HIDDEN_MS = 5 * 60_000;
/** A tab with the connection that doesn't respond within this time counts as asleep, in ms. */
const ANSWER_MS = 1_500;
/** Within this time after the page was made, missed events don't matter, in ms. */
const FRESH_MS = 3_000;

export interface SharedHandlers {
  onText(text: string): void;
  /** The connection is open. `missed`: events may have been missed before. */
  onUp(missed: boolean): void;
  onDown(): void;
  onSessionEnded(): Promise<void>;
}

export interface SharedConnection {
  send(text: string): void;
  close(): void;
}

type Word =
  | { is: "text"; text: string }
  | { is: "up"; missed: boolean }
  | { is: "down" }
  | { is: "ended" }
  /** Question: does a tab hold the connection? */
  | { is: "ask" }
  /** Answer: yes. */
  | { is: "here"; up: boolean }
  /** A message for the server. */
  | { is: "say"; text: string };

/** `name` is the same for all tabs of one user. */
export function shareConnection(name: string, handlers: SharedHandlers): SharedConnection {
  const canShare = "locks" in navigator && typeof BroadcastChannel === "function";
  const channel = canShare ? new BroadcastChannel(name) : null;
  const startedAt = Date.now();
  let socket: LiveSocket | null = null;
  let up = false;
  let everUp = false;
  let stopped = false;
  let resting = false;
  /** Releases the lock. */
  let release: (() => void) | null = null;
  let waiting = new AbortController();
  let answer: ReturnType<typeof setTimeout> | undefined;
  let hiddenTooLong: ReturnType<typeof setTimeout> | undefined;

  function say(word: Word) {
    // A channel only reaches this origin.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    channel?.postMessage(word);
  }

  function goUp(missed: boolean) {
    up = true;
    everUp = true;
    handlers.onUp(missed);
  }

  function goDown() {
    if (!up) return;
    up = false;
    handlers.onDown();
  }

  function openOwn() {
    socket = openLiveSocket({
      onText(text) {
        say({ is: "text", text });
        handlers.onText(text);
      },
      onUp() {
        const missed = everUp || Date.now() - startedAt > FRESH_MS;
        say({ is: "up", missed: true });
        goUp(missed);
      },
      onDown() {
        say({ is: "down" });
        goDown();
      },
      onSessionEnded() {
        say({ is: "ended" });
        return handlers.onSessionEnded();
      },
    });
  }

  function closeOwn() {
    if (!socket) return;
    socket.close();
    socket = null;
    goDown();
  }

  /** Waits for the lock and then opens the connection. With `steal`, takes the lock from a tab that is asleep. */
  function queue(steal: boolean) {
    if (!canShare) return openOwn();
    const turn = new AbortController();
    waiting = turn;
    navigator.locks
      .request(name, steal ? { steal } : { signal: turn.signal }, () => {
        if (stopped || resting) return;
        clearTimeout(answer);
        openOwn();
        return new Promise<void>((done) => (release = done));
      })
      .catch(() => {
        // The lock was stolen, or the wait was cancelled.
        const taken = release !== null;
        release = null;
        closeOwn();
        if (taken && !stopped && !resting) queue(false);
      });
  }

  /** Checks that the tab with the connection responds. */
  function ask() {
    if (socket || stopped || resting || !channel) return;
    clearTimeout(answer);
    answer = setTimeout(() => {
      if (socket || stopped || resting) return;
      waiting.abort();
      queue(true);
    }, ANSWER_MS);
    say({ is: "ask" });
  }

  function rest() {
    if (resting || stopped) return;
    resting = true;
    letGo();
    goDown();
  }

  function letGo() {
    clearTimeout(answer);
    waiting.abort();
    closeOwn();
    release?.();
    release = null;
  }

  function comeBack() {
    clearTimeout(hiddenTooLong);
    if (stopped) return;
    if (resting) {
      resting = false;
      queue(false);
    }
    socket?.wake();
    ask();
  }

  function onVisibility() {
    if (document.visibilityState === "visible") return comeBack();
    clearTimeout(hiddenTooLong);
    hiddenTooLong = setTimeout(rest, LONG_HIDDEN_MS);
  }

  channel?.addEventListener("message", ({ data: word }: MessageEvent<Word>) => {
    if (stopped || resting) return;
    switch (word.is) {
      case "ask":
        if (socket) say({ is: "here", up });
        return;
      case "here":
        clearTimeout(answer);
        // A tab that was just opened has fresh data.
        if (!socket && word.up && !up) goUp(everUp);
        return;
      case "say":
        return socket?.send(word.text);
      case "text":
        return handlers.onText(word.text);
      case "up":
        return socket ? undefined : goUp(word.missed);
      case "down":
        return socket ? undefined : goDown();
      case "ended":
        void handlers.onSessionEnded();
    }
  });

  const listening = new AbortController();
  const { signal } = listening;
  document.addEventListener("visibilitychange", onVisibility, { signal });
  document.addEventListener("freeze", rest, { signal });
  document.addEventListener("resume", comeBack, { signal });
  addEventListener("focus", comeBack, { signal });
  addEventListener("pageshow", comeBack, { signal });
  addEventListener("pagehide", rest, { signal });
  addEventListener("online", () => socket?.wake(), { signal });
  queue(false);
  ask();
  return {
    send(text) {
      if (socket) socket.send(text);
      else say({ is: "say", text });
    },
    close() {
      stopped = true;
      clearTimeout(hiddenTooLong);
      letGo();
      channel?.close();
      listening.abort();
    },
  };
}
