import { useSyncExternalStore } from "react";

/** Whether a media query holds now. `onServer`: what the server, which doesn't know it, and the first paint say. */
export function useMedia(query: string, onServer: boolean): boolean {
  return useSyncExternalStore(
    (onChange) => {
      const media = matchMedia(query);
      media.addEventListener("change", onChange);
      return () => media.removeEventListener("change", onChange);
    },
    () => matchMedia(query).matches,
    () => onServer,
  );
}
