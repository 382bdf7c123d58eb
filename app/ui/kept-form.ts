import type { DataStrategyResult } from "react-router";

export const KEPT_FORM = "kept-form";

/** The form that was submitted last. */
let sent: HTMLFormElement | undefined;
if (typeof document === "object") {
  addEventListener("submit", ({ target }) => (sent = target as HTMLFormElement), true);
}

/**
 * A client middleware. Where a form is answered with the login, because the session has ended, it keeps what the form holds.
 * A logout, which leads to the login without a way back, removes what is kept in every tab.
 */
export async function keepForm(
  { request }: { request: Request },
  next: () => Promise<Record<string, DataStrategyResult>>,
): Promise<void> {
  const results = await next();
  if (request.method === "GET") return;
  for (const { result } of Object.values(results)) {
    const to = result instanceof Response ? result.headers.get("Location") : null;
    if (to === "/auth") await load((forms) => forms.forgetEverywhere());
    else if (to?.startsWith("/auth?")) await load((forms) => sent && forms.keep(sent, request.url));
  }
}

/** Fills in the kept form if it is on this screen and the same person is back at it. Call it on each screen. */
export function fillKeptForm(): void {
  try {
    if (sessionStorage.getItem(KEPT_FORM)) void load((forms) => forms.restore());
  } catch {
    // This browser has no storage.
  }
}

/** Nothing that fails here may keep people from their screen. */
function load(use: (forms: typeof import("./kept-form-storage.ts")) => unknown): Promise<unknown> {
  return import("./kept-form-storage.ts").then(use).catch(() => {});
}
