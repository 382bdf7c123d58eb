import type { DataStrategyResult } from "react-router";

/** The same in kept-form-storage.ts, which is loaded only when it is needed. */
const KEPT_FORM = "kept-form";

/**
 * A client middleware. Where a form is answered with the login, because the session has ended, it keeps what the form sent.
 */
export async function keepForm(
  { request }: { request: Request },
  next: () => Promise<Record<string, DataStrategyResult>>,
): Promise<void> {
  const sent = request.method === "GET" ? null : request.clone();
  const results = await next();
  const ended = Object.values(results).some(
    ({ result }) => result instanceof Response && result.headers.get("Location")?.startsWith("/auth?"),
  );
  if (sent && ended) await keepOrFill(sent);
}

/** Fills in the kept form if it is on this screen and the same person is back at it. Call it on each screen. */
export function fillKeptForm(): void {
  try {
    if (sessionStorage.getItem(KEPT_FORM)) void keepOrFill();
  } catch {
    // This browser has no storage.
  }
}

/** Keeps a form, or fills in the kept one. */
function keepOrFill(sent?: Pick<Request, "formData">): Promise<void> {
  return import("./kept-form-storage.ts").then(
    (forms) => forms.keepOrFill(sent),
    () => {},
  );
}
