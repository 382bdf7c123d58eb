import { useEffect, useRef } from "react";
import { useRevalidator } from "react-router";
import { toast } from "#app/ui/toast.ts";

/** Keeps a page in step with the server: every event on the live channel, and coming back to the tab, loads its data anew. */
export function useLive(): void {
  const { revalidate } = useRevalidator();
  const latest = useRef(revalidate);
  useEffect(() => {
    latest.current = revalidate;
  }, [revalidate]);

  useEffect(() => {
    let stop = () => {};
    let stopped = false;
    void import("#app/messaging/live-connection.ts").then(({ openLiveConnection }) => {
      if (stopped) return;
      stop = openLiveConnection({
        onEvent(event) {
          if ("notice" in event && event.notice) toast.info(event.notice, { duration: 4000 });
          void latest.current();
        },
        // What was missed while the channel was closed.
        onReconnect: () => void latest.current(),
      });
    });
    return () => {
      stopped = true;
      stop();
    };
  }, []);
}
