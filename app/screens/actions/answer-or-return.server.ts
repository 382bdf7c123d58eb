import { pageOfForm } from "#app/accounts/login/account-rules.ts";
import { redirectWithFlash } from "#app/platform/flash.server.ts";
import type { Services } from "#app/request/services.ts";

/**
 * How the action of a small form answers: with JSON for scripts, or with a toast on the page that a form sent without
 * scripts names in `from`.
 */
export function answerOrReturn(services: Services, fields: Record<string, unknown>) {
  const from = pageOfForm(fields.from);
  return async (ok: boolean, message: string, status: number, more: Record<string, unknown> = {}) => {
    if (!from) return Response.json({ ok, message, ...more }, { status });
    return redirectWithFlash(services, from, { kind: ok ? "success" : "error", text: message });
  };
}
