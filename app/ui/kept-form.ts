import type { DataStrategyResult } from "react-router";

export const KEPT_FORM = "kept-form";
/** The messages that were refused because the session had ended (messaging/unsent-messages.ts). */
export const KEPT_MESSAGES = "kept-messages";

/** The form that was submitted last, and the one that somebody typed in last. */
let sent: HTMLFormElement | undefined;
let typed: HTMLFormElement | undefined;
/** What each form held when somebody first went into it. */
export const initialValues = new WeakMap<HTMLFormElement, FormData>();
if (typeof document === "object") {
  addEventListener("submit", ({ target }) => (sent = target as HTMLFormElement), true);
  addEventListener("input", ({ target }) => (typed = (target as HTMLInputElement).form ?? typed), true);
  addEventListener("focusin", ({ target }) => noteInitialValues((target as HTMLInputElement).form), true);
  addEventListener("input", forgetOnLogout, { capture: true, once: true });
}

/**
 * A client middleware. Where a form, or a reload of the screen's data, is answered with the login, because the session has
 * ended, it keeps what the form holds. A logout, which leads to the login without a way back, removes what is kept in every
 * tab.
 */
export async function keepForm(
  { request }: { request: Request },
  next: () => Promise<Record<string, DataStrategyResult>>,
): Promise<void> {
  const results = await next();
  const isSent = request.method !== "GET";
  if (!isSent && new URL(request.url).pathname !== location.pathname) return;
  for (const { result } of Object.values(results)) {
    const to = result instanceof Response ? result.headers.get("Location") : null;
    if (to === "/auth" && isSent) await load((forms) => forms.forgetEverywhere());
    else if (to?.startsWith("/auth?"))
      await load((forms) => (isSent ? sent && forms.keep(sent, request.url) : typed && forms.keep(typed)));
  }
}

function noteInitialValues(form?: HTMLFormElement | null): void {
  if (form && !initialValues.has(form)) initialValues.set(form, new FormData(form));
}

/** A logout in another tab also forgets the form that was typed in here. */
function forgetOnLogout(): void {
  if (typeof BroadcastChannel === "function")
    new BroadcastChannel(KEPT_FORM).addEventListener("message", () => (typed = undefined));
}

/**
 * Fills in the kept form if it is on this screen and its author has logged in again. Removes a form that somebody else left. Call
 * it on each screen.
 */
export function fillKeptForm(): void {
  try {
    if (sessionStorage.getItem(KEPT_FORM) ?? sessionStorage.getItem(KEPT_MESSAGES))
      void load((forms) => forms.restore());
  } catch {
    // This browser has no storage.
  }
}

/** Does nothing if it fails, because people must get their screen in any case. */
function load(use: (forms: typeof import("./kept-form-storage.ts")) => unknown): Promise<unknown> {
  return import("./kept-form-storage.ts").then(use).catch(() => {});
}
