import { useEffect, useRef } from "react";
import { useFetchers, useNavigation, useRevalidator } from "react-router";
import { pageId } from "#app/basket/components/basket-changes.ts";
import { isReachable } from "#app/ui/reachable.ts";
import { toast } from "#app/ui/toast.ts";

/** Events that come together load the screen's data once, ms. */
const TOGETHER_MS = 150;
/** Someone who was away for longer than this finds the screen's data loaded anew, ms. */
const AWAY_MS = 10_000;

/** Keeps a page in step with the server: every event on the live channel, and coming back to it, loads its data anew. */
export function useLive(): void {
  const { revalidate } = useRevalidator();
  const latest = useRef(revalidate);
  const working = useIsWorking();
  const isWorking = useRef(working);
  useEffect(() => {
    latest.current = revalidate;
    isWorking.current = working;
  }, [revalidate, working]);

  useEffect(() => {
    let stop = () => {};
    let stopped = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    function loadSoon() {
      timer ??= setTimeout(() => {
        timer = undefined;
        void latest.current();
      }, TOGETHER_MS);
    }
    const stopWatching = watchReturns(() => {
      void isReachable().then((reachable) => {
        if (reachable && !stopped) loadSoon();
      });
    });
    void import("#app/messaging/live-connection.ts").then(({ openLiveConnection }) => {
      if (stopped) return;
      stop = openLiveConnection({
        onEvent(event) {
          if ("notice" in event && event.notice) toast.info(event.notice, { duration: 4000 });
          const known = event.type === "cart" && event.by === pageId;
          if (!known) loadSoon();
        },
        // What was missed while the channel was closed.
        onReconnect: loadSoon,
        // Whatever ended it from this very page leads away by itself. Elsewhere the guards then ask to sign in.
        async onSessionEnded() {
          for (;;) {
            await pause(TOGETHER_MS);
            if (stopped) return;
            if (!isWorking.current) return latest.current();
          }
        },
      });
    });
    return () => {
      stopped = true;
      clearTimeout(timer);
      stopWatching();
      stop();
    };
  }, []);
}

/** Whether this page is sending a form, or on its way to another screen. */
function useIsWorking(): boolean {
  const { state } = useNavigation();
  const fetchers = useFetchers();
  return state !== "idle" || fetchers.some((fetcher) => fetcher.state !== "idle");
}

function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}

/** Calls back when someone returns to this page after a while: to its tab, its window, or by the browser's own way back. */
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
  const onVisibility = () => (document.visibilityState === "hidden" ? leave() : comeBack());
  const onShow = (event: PageTransitionEvent) => event.persisted && onReturn();
  document.addEventListener("visibilitychange", onVisibility);
  addEventListener("blur", leave);
  addEventListener("focus", comeBack);
  addEventListener("pageshow", onShow);
  return () => {
    document.removeEventListener("visibilitychange", onVisibility);
    removeEventListener("blur", leave);
    removeEventListener("focus", comeBack);
    removeEventListener("pageshow", onShow);
  };
}
