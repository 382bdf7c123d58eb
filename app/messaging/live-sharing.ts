/**
 * One connection for all tabs of a user. A lock that the browser gives to one tab at a time says which tab holds the connection;
 * it passes what arrives to the others, and when it is closed or sleeps, the next one takes over. Where a browser has no locks,
 * each tab has a connection of its own.
 */
import { type LiveSocket, openLiveSocket } from "./live-socket.ts";

/** A tab that has been out of sight for this long lets the connection go, ms. */
const LONG_HIDDEN_MS = 5 * 60_000;
/** A tab that holds the connection and does not answer within this time sleeps, ms. */
const ANSWER_MS = 1_500;
/** Up to this long after the page was made nothing can have been missed that matters, ms. */
const FRESH_MS = 3_000;

export interface SharedHandlers {
  onText(text: string): void;
  /** The connection stands; `missed`: something may have happened before it did. */
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
  /** Does somebody hold the connection? */
  | { is: "ask" }
  /** Somebody does. */
  | { is: "here"; up: boolean }
  /** For the server. */
  | { is: "say"; text: string };

/** `name`: the same for all tabs of one user. */
export function shareConnection(name: string, handlers: SharedHandlers): SharedConnection {
  const canShare = "locks" in navigator && typeof BroadcastChannel === "function";
  const channel = canShare ? new BroadcastChannel(name) : null;
  const startedAt = Date.now();
  let socket: LiveSocket | null = null;
  let up = false;
  let everUp = false;
  let stopped = false;
  let resting = false;
  /** Gives the lock back. */
  let release: (() => void) | null = null;
  let waiting = new AbortController();
  let answer: ReturnType<typeof setTimeout> | undefined;
  let hiddenTooLong: ReturnType<typeof setTimeout> | undefined;

  function say(word: Word) {
    // A channel reaches this origin only.
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

  /** Waits for its turn to hold the connection; with `steal` takes it from a tab that sleeps. */
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
        // Taken away, or no longer waited for.
        const taken = release !== null;
        release = null;
        closeOwn();
        if (taken && !stopped && !resting) queue(false);
      });
  }

  /** Makes sure that somebody who holds the connection is awake. */
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
        // A tab that was just opened: what there is to know came with it.
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
