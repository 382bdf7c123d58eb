/** Keeps an open page up to date. Loaded with the live connection after the page works (use-live.ts). */
import { refreshOfflineCopy } from "#app/platform/offline-copy.ts";
import { forgetPrivate, logouts, readPrivate, UNSENT_MESSAGES } from "#app/platform/private-storage.ts";
import { reload } from "#app/ui/browser/reload.ts";
import { startLive } from "./live-page.ts";
import { publishLive } from "#app/live/live-state.ts";

/**
 * Events within this time reload the screen's data once, in ms. One change may send several: a sale sends one for each
 * item, and an agreement sends a message and a change of its order.
 */
const TOGETHER_MS = 150;
/** After an absence longer than this, the screen's data is reloaded, in ms. */
const AWAY_MS = 10_000;

/** The page's current router. */
export interface RouterNow {
  revalidate(): Promise<void>;
  navigate(path: string): unknown;
  /** Ends when the page is neither sending a form nor navigating. */
  whenIdle(): Promise<void>;
}

interface Page {
  viewerId: string;
  router: { readonly current: RouterNow };
  /** Identifies this page to the server. */
  pageId: string;
}

/**
 * Reloads the page's data after events and when the user returns, renews the offline copy, and sends the messages that
 * wait for a connection. Returns a function that stops it.
 */
export function keepUpToDate({ viewerId, router, pageId }: Page): () => void {
  let stopped = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  async function revalidate(): Promise<void> {
    await router.current.whenIdle();
    if (stopped) return;
    await router.current.revalidate();
  }
  function load() {
    clearTimeout(timer);
    timer = undefined;
    void reload(revalidate);
  }
  function loadSoon() {
    timer ??= setTimeout(load, TOGETHER_MS);
  }
  // A login by the form loads no page, so this is where somebody's first copy comes from.
  refreshOfflineCopy();
  void resumeSending();
  const stopWatching = watchReturns(() => {
    refreshOfflineCopy();
    void resumeSending();
    void reload(revalidate).then((came) => {
      if (came && !stopped) publishLive({ type: "missed" });
    });
  });
  // The live connection of a page that was hidden for long is closed, so it doesn't hear that the session has ended.
  const leave = () => void revalidate();
  logouts?.addEventListener("message", leave);
  if ("Notification" in globalThis && Notification.permission === "granted") void renewPush();
  const stopLive = startLive({
    viewerId,
    reload: loadSoon,
    reloadNow: load,
    onUp: () => void resumeSending(),
    isOwn: (event) => event.type === "cart" && event.by === pageId,
    open: (path) => void router.current.navigate(path),
    // A logout on this page already navigates to the login. On other pages, loading the data again leads there.
    async onSessionEnded() {
      forgetPrivate();
      await pause(TOGETHER_MS);
      await revalidate();
    },
  });
  return () => {
    stopped = true;
    clearTimeout(timer);
    stopWatching();
    logouts?.removeEventListener("message", leave);
    stopLive();
  };
}

/** Its script comes where a message waits. */
async function resumeSending(): Promise<void> {
  if (readPrivate("tab", UNSENT_MESSAGES) === null) return;
  const sending = await import("#app/messaging/sending/unsent-messages.ts").catch(() => null);
  sending?.resumeSending();
}

/** Few browsers have a subscription, so its script comes on its own. */
async function renewPush(): Promise<void> {
  const client = await import("#app/notifications/push/push-client.ts").catch(() => null);
  await client?.renewPush();
}

function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}

/**
 * Calls back when somebody returns to this page after a while: to its tab or window, by the browser's Back, or online.
 */
function watchReturns(onReturn: () => void): () => void {
  let leftAt: number | null = null;
  function leave() {
    leftAt ??= Date.now();
  }
  function comeBack() {
    const away = leftAt === null ? 0 : Date.now() - leftAt;
    leftAt = null;
    if (away > AWAY_MS) onReturn();
  }
  const watching = new AbortController();
  const { signal } = watching;
  document.addEventListener("visibilitychange", () => (document.visibilityState === "hidden" ? leave() : comeBack()), {
    signal,
  });
  addEventListener("blur", leave, { signal });
  addEventListener("focus", comeBack, { signal });
  addEventListener("pageshow", ({ persisted }) => persisted && onReturn(), { signal });
  addEventListener("online", onReturn, { signal });
  return () => watching.abort();
}
