import { useEffect } from "react";

/** Renews the offline copy when a screen of orders opens, and when `state`, what the copy has of them, changes there. */
export function useOfflineCopy(state: string): void {
  useEffect(() => {
    import("#app/platform/offline-copy.ts").then(
      ({ renewOfflineCopy }) => renewOfflineCopy(state),
      // Without a connection the copy stays as it is.
      () => {},
    );
  }, [state]);
}
