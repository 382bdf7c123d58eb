import { useCallback, useEffect, useRef } from "react";
import { useFetchers, useNavigation } from "react-router";

/** Whether this page is sending a form, loading a part, or navigating. */
export function useIsWorking(): boolean {
  const { state } = useNavigation();
  const fetchers = useFetchers();
  return state !== "idle" || fetchers.some((fetcher) => fetcher.state !== "idle");
}

/**
 * A promise that ends when the page is neither sending nor navigating. A reload waits for it: the new data may remove
 * the form that was sent, and its answer would reach nobody. The promise of a screen that has gone never ends.
 */
export function useWhenIdle(): () => Promise<void> {
  const working = useIsWorking();
  const waiting = useRef<(() => void)[]>([]);
  const isWorking = useRef(working);
  useEffect(() => {
    isWorking.current = working;
    if (!working) for (const go of waiting.current.splice(0)) go();
  }, [working]);
  return useCallback(() => new Promise((go) => (isWorking.current ? waiting.current.push(go) : go())), []);
}
