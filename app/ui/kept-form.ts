import type { DataStrategyResult } from "react-router";

/** Its key in this tab's storage. */
export const KEPT_FORM = "kept-form";

/** Who used the page last. It stays when their session ends. */
let lastViewer: string | null = null;
/** While we look for the form on the page. */
let looking: Promise<unknown> | null = null;

/**
 * A client middleware. Where a form is answered with the login, because the session has ended, it keeps what the form sent.
 */
export async function keepForm(
  { request }: { request: Request },
  next: () => Promise<Record<string, DataStrategyResult>>,
): Promise<void> {
  const sent = request.method === "GET" ? null : request.clone();
  const results = await next();
  if (!sent || !lastViewer || !Object.values(results).some(leadsToLogin)) return;
  const viewerId = lastViewer;
  await import("./kept-form-storage.ts").then(
    (storage) => storage.keep(sent, viewerId),
    () => undefined,
  );
}

/** Fills in the kept form if it is on this screen and the same person is back at it. Call it on each screen. */
export function fillKeptForm(viewerId: string | null): void {
  if (viewerId === null) return;
  lastViewer = viewerId;
  if (looking || !hasKept()) return;
  looking = import("./kept-form-storage.ts")
    .then((storage) => storage.restore(viewerId))
    .catch(() => undefined)
    .finally(() => (looking = null));
}

function leadsToLogin({ result }: DataStrategyResult): boolean {
  return result instanceof Response && result.headers.get("Location")?.startsWith("/auth?") === true;
}

function hasKept(): boolean {
  try {
    return sessionStorage.getItem(KEPT_FORM) !== null;
  } catch {
    return false;
  }
}
