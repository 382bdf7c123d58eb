import { useEffect, useState } from "react";

interface Loaded<T> {
  /** The last answer. It stays until the next one arrives. */
  data: T | undefined;
  /** Whether the last answer is the one to this address. */
  isCurrent: boolean;
  /** Whether this address didn't answer. */
  isFailed: boolean;
}

/**
 * Loads JSON for a part of a screen that the screen can do without; null loads nothing. It waits `pauseMs` for the
 * address to stay the same. The router's fetchers would replace the whole screen where no answer comes, and leave it
 * where the session has ended. An address that didn't answer isn't asked again while it stays the same: what the person
 * changes next asks anew.
 */
export function useJson<T>(path: string | null, pauseMs = 0): Loaded<T> {
  const [last, setLast] = useState<{ path: string; data: T | undefined; failed: boolean }>();
  useEffect(() => {
    if (path === null) return;
    const controller = new AbortController();
    const timer = setTimeout(() => {
      load<T>(path, controller.signal).then(
        (data) => setLast({ path, data, failed: false }),
        () => controller.signal.aborted || setLast((before) => ({ path, data: before?.data, failed: true })),
      );
    }, pauseMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [path, pauseMs]);
  const answered = last?.path === path;
  return { data: last?.data, isCurrent: answered && !last.failed, isFailed: answered && last.failed };
}

async function load<T>(path: string, signal: AbortSignal): Promise<T> {
  const response = await fetch(path, { signal, redirect: "error" });
  if (!response.ok) throw new Error(`status ${response.status}`);
  return (await response.json()) as T;
}
