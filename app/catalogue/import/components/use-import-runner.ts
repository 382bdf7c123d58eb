import { useEffect } from "react";
import { useFetcher } from "react-router";

/** Pauses between two requests, in ms: usually, and after one that did nothing or failed. */
const PAUSE_MS = 300;
const LONG_PAUSE_MS = 3_000;

/**
 * Asks the server to import the next rows, again and again while the screen is open. The scheduled job goes on when the
 * screen is left.
 */
export function useImportRunner(): void {
  const fetcher = useFetcher<{ ok: boolean; rows?: number }>();
  const { state, data, submit } = fetcher;
  useEffect(() => {
    if (state !== "idle") return;
    const isSlow = data !== undefined && !data.rows;
    const timer = setTimeout(
      () => void submit({ intent: "continue" }, { method: "post", action: "/myshop/import" }),
      isSlow ? LONG_PAUSE_MS : PAUSE_MS,
    );
    return () => clearTimeout(timer);
  }, [state, data, submit]);
}
