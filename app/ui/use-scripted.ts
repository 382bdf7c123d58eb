import { useSyncExternalStore } from "react";

/**
 * False on the server and while React takes the page over, then true. For what only works, or is only known, with scripts: the
 * first render has to equal the server's.
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
