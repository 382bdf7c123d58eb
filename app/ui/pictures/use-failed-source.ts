import { type RefCallback, useCallback, useEffect, useState } from "react";

interface Source {
  isFailed: boolean;
  /** For the `img` that shows it. */
  image: { ref: RefCallback<HTMLImageElement>; onError: () => void };
}

/** Whether a picture couldn't be loaded. One that failed without a connection is tried again when it is back. */
export function useFailedSource(wanted: string | null | undefined): Source {
  const [failed, setFailed] = useState<string | null>(null);
  const [first] = useState(wanted);
  useEffect(() => {
    if (failed === null) return;
    const tryAgain = () => setFailed(null);
    addEventListener("online", tryAgain);
    return () => removeEventListener("online", tryAgain);
  }, [failed]);
  // It may have failed before this script ran.
  const ref = useCallback(
    (element: HTMLImageElement | null) => {
      if (element?.complete && element.naturalWidth === 0) setFailed(first ?? null);
    },
    [first],
  );
  return {
    isFailed: failed !== null && failed === wanted,
    image: { ref, onError: () => setFailed(wanted ?? null) },
  };
}
