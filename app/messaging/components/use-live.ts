import { useEffect, useRef } from "react";
import { useFetchers, useNavigate, useNavigation, useRevalidator } from "react-router";
import { pageId } from "#app/basket/components/basket-changes.ts";
import { publishLive, setUnread } from "#app/messaging/live-state.ts";
import { isReachable } from "#app/ui/reachable.ts";

/** Events that come together load the screen's data once, ms. */
const TOGETHER_MS = 150;
/** Someone who was away for longer than this finds the screen's data loaded anew, ms. */
const AWAY_MS = 10_000;

/**
 * Keeps a page in step with the server: what happens to orders, money and the cart, and coming back to the page, loads its data
 * anew; messages are passed to the conversations on it (live-state.ts).
 */
export function useLive(viewerId: string, counts: { unread: number }): void {
  const { revalidate } = useRevalidator();
  const navigate = useNavigate();
  const working = useIsWorking();
  const latest = useRef({ revalidate, navigate, working });
  useEffect(() => {
    latest.current = { revalidate, navigate, working };
  }, [revalidate, navigate, working]);

  // Each answer of the server brings a new object.
  useEffect(() => setUnread(counts.unread), [counts]);

  useEffect(() => {
    let stop = () => {};
    let stopped = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    function loadSoon() {
      timer ??= setTimeout(() => {
        timer = undefined;
        void latest.current.revalidate();
      }, TOGETHER_MS);
    }
    const stopWatching = watchReturns(() => {
      void isReachable().then((reachable) => {
        if (!reachable || stopped) return;
        loadSoon();
        publishLive({ type: "missed" });
      });
    });
    void import("#app/messaging/live-page.ts").then(
      ({ startLive }) => {
        if (stopped) return;
        stop = startLive({
          viewerId,
          reload: loadSoon,
          isOwn: (event) => event.type === "cart" && event.by === pageId,
          open: (path) => void latest.current.navigate(path),
          // Whatever ended it from this very page leads away by itself. Elsewhere the guards then ask to sign in.
          async onSessionEnded() {
            for (;;) {
              await pause(TOGETHER_MS);
              if (stopped) return;
              if (!latest.current.working) return latest.current.revalidate();
            }
          },
        });
      },
      // Without the channel pages poll.
      () => undefined,
    );
    return () => {
      stopped = true;
      clearTimeout(timer);
      stopWatching();
      stop();
    };
  }, [viewerId]);
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
