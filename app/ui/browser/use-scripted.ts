import { useSyncExternalStore } from "react";

/**
 * False on the server and during hydration, then true. For content that needs scripts, because the first render must
 * equal the server's.
 */
export function useScripted(): boolean {
  return useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  );
}

function neverChanges(): () => void {
  return () => {};
}
