import type { ActionFunctionArgs } from "react-router";
import { pageOfForm, PROFILE_FIRST_TEXT, SIGN_IN_TEXTS, withReturnPath } from "#app/accounts/login/account-rules.ts";
import { changeBasket } from "#app/basket/change-basket.server.ts";
import { unreadableText } from "#app/basket/failed-texts.ts";
import type { BasketAnswer } from "#app/basket/basket-rules.ts";
import { basketChangeSchema } from "#app/basket/change-form.ts";
import { redirectWithFlash } from "#app/platform/flash.server.ts";
import { TOO_MANY_REQUESTS } from "#app/platform/rate-limit-rules.ts";
import { servicesContext, viewerContext } from "#app/request/context.ts";
import type { Services } from "#app/request/services.ts";

/**
 * Changes the cart or the wishlist, from any screen, and answers with the result. A form sent without scripts names its
 * page in `from` and returns there. Scripts name theirs in `returnTo`, for the way back from the login.
 */
export async function basketAction({ request, context }: ActionFunctionArgs): Promise<BasketAnswer> {
  const services = context.get(servicesContext);
  const viewer = context.get(viewerContext);
  const fields = Object.fromEntries(await request.formData());
  const from = pageOfForm(fields.from);
  if (!viewer) {
    const hasSession = (await services.sessions.read(request)) !== null;
    throw await redirectWithFlash(services, withReturnPath("/auth", from ?? pageOfForm(fields.returnTo)), {
      kind: hasSession ? "error" : "info",
      text: hasSession ? SIGN_IN_TEXTS.no_user : SIGN_IN_TEXTS.required,
    });
  }
  if (!viewer.profileComplete) {
    const refused = { kind: "error", text: PROFILE_FIRST_TEXT } as const;
    if (from) throw await redirectWithFlash(services, withReturnPath("/complete-profile", from), refused);
    return { ok: false, kind: refused.kind, message: refused.text };
  }

  const answer = await answerTo(services, viewer.id, fields);
  if (from) throw await redirectWithFlash(services, from, { kind: answer.kind, text: answer.message });
  return answer;
}

async function answerTo(services: Services, userId: string, fields: Record<string, unknown>): Promise<BasketAnswer> {
  const parsed = basketChangeSchema.safeParse(fields);
  if (!parsed.success) return { ok: false, kind: "error", message: unreadableText(String(fields.intent)) };
  if (!(await services.limits.write(userId))) return { ok: false, kind: "error", message: TOO_MANY_REQUESTS };
  const answer = await changeBasket(services, userId, parsed.data);
  const by = typeof fields.page === "string" ? fields.page.slice(0, 50) : undefined;
  if (answer.ok) services.defer(services.notifier.send(userId, { type: "cart", by }));
  return answer;
}
