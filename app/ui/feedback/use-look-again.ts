import { useEffect } from "react";
import { useRevalidator } from "react-router";

/** For a screen that failed: requests its data again every `everyMs` while it is visible. */
export function useLookAgain(everyMs: number): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    const timer = setInterval(() => document.hidden || void revalidate(), everyMs);
    return () => clearInterval(timer);
  }, [revalidate, everyMs]);
}
