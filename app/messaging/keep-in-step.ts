/** What an open page does to stay in step with the server: fetched once the page stands (use-live.ts), with the live channel. */
import { forgetPrivate } from "#app/platform/private-storage.ts";
import { reload } from "#app/ui/reload.ts";
import { startLive } from "./live-page.ts";
import { publishLive } from "./live-state.ts";

/** Events that come together load the screen's data once, ms. */
const TOGETHER_MS = 150;
/** Someone who was away for longer than this finds the screen's data loaded anew, ms. */
const AWAY_MS = 10_000;

/** The page's router, as it is now. */
export interface RouterNow {
  revalidate(): Promise<void>;
  navigate(path: string): unknown;
  /** Whether this page is sending a form, or on its way to another screen. */
  working: boolean;
}

interface Page {
  viewerId: string;
  router: { readonly current: RouterNow };
  /** Names this page to the server. */
  pageId: string;
}

/** Loads the page's data anew as things happen and as its reader comes back; returns what ends it. */
export function keepInStep({ viewerId, router, pageId }: Page): () => void {
  let stopped = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  function loadSoon() {
    timer ??= setTimeout(() => {
      timer = undefined;
      void reload(() => router.current.revalidate());
    }, TOGETHER_MS);
  }
  const stopWatching = watchReturns(() => {
    void reload(() => router.current.revalidate()).then((came) => {
      if (came && !stopped) publishLive({ type: "missed" });
    });
  });
  const stopLive = startLive({
    viewerId,
    reload: loadSoon,
    isOwn: (event) => event.type === "cart" && event.by === pageId,
    open: (path) => void router.current.navigate(path),
    // Whatever ended it from this very page leads away by itself. Elsewhere the guards then ask to sign in.
    async onSessionEnded() {
      forgetPrivate();
      for (;;) {
        await pause(TOGETHER_MS);
        if (stopped) return;
        if (!router.current.working) return router.current.revalidate();
      }
    },
  });
  return () => {
    stopped = true;
    clearTimeout(timer);
    stopWatching();
    stopLive();
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}

/** Calls back when someone returns to this page after a while: to its tab, its window, by the browser's own way back, or online. */
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
