import { useEffect, useRef } from "react";
import { useNavigate, useRevalidator } from "react-router";
import { pageId } from "#app/basket/components/basket-changes.ts";
import type { RouterNow } from "./keep-up-to-date.ts";
import { bellCount, countUnreadChanges, unreadCount } from "#app/live/live-state.ts";
import { inOwnTask } from "#app/ui/browser/own-task.ts";
import { useIsWorking, useWhenIdle } from "#app/ui/browser/use-when-idle.ts";

// A function of its own: Vite takes a `then` that follows an import into its loader, which then fails past our handler.
const loadKeepUpToDate = () => import("./keep-up-to-date.ts");

/**
 * Keeps a page up to date. It reloads the page's data after events about orders, money and the cart, and when the user
 * returns to the page. It passes messages to the conversations on the page (live-state.ts).
 */
export function useLive(viewerId: string, counts: { unread: number; notifications: number }): void {
  const { revalidate, state: revalidation } = useRevalidator();
  const navigate = useNavigate();
  const working = useIsWorking();
  const whenIdle = useWhenIdle();
  const router = useRef<RouterNow>({ revalidate, navigate, whenIdle });
  useEffect(() => {
    router.current = { revalidate, navigate, whenIdle };
  }, [revalidate, navigate, whenIdle]);

  const loading = working || revalidation !== "idle";
  const changesBefore = useRef(0);
  // Each answer of the server brings a new object. Where the count has changed while the data loaded, the data is
  // older.
  useEffect(() => {
    if (countUnreadChanges() === changesBefore.current) unreadCount.set(counts.unread);
    bellCount.set(counts.notifications);
  }, [counts]);
  useEffect(() => {
    if (loading) changesBefore.current = countUnreadChanges();
  }, [loading]);

  useEffect(() => {
    let stop: (() => void) | undefined;
    let stopped = false;
    function start() {
      loadKeepUpToDate().then(
        ({ keepUpToDate }) => {
          if (!stopped) stop = keepUpToDate({ viewerId, router, pageId });
        },
        // Without a connection, nothing that this page could show can change.
        () => addEventListener("online", start, { once: true }),
      );
    }
    const cancelStart = inOwnTask(start);
    return () => {
      stopped = true;
      cancelStart();
      removeEventListener("online", start);
      stop?.();
    };
  }, [viewerId]);
}
