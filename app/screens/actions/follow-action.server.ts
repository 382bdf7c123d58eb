import { type ActionFunctionArgs, redirect } from "react-router";
import { z } from "zod";
import { SIGN_IN_TEXTS, safeReturnPath, withReturnPath } from "#app/accounts/login/account-rules.ts";
import { redirectWithFlash } from "#app/platform/flash.server.ts";
import { TOO_MANY_REQUESTS } from "#app/platform/rate-limit-rules.ts";
import { servicesContext, viewerContext } from "#app/request/context.ts";
import { changeFollow } from "#app/shops/follows.server.ts";
import { FOLLOW_TEXTS } from "#app/shops/shop-rules.ts";

const form = z.object({ intent: z.literal("follow"), shopId: z.uuid(), follow: z.enum(["yes", "no"]) });

/** The result of pressing Follow. */
export type FollowAnswer = { ok: boolean; message: string };

/** Follows or unfollows a shop, from any screen that shows it. Visitors log in first and then return. */
export async function followAction({ request, context }: ActionFunctionArgs): Promise<FollowAnswer> {
  const services = context.get(servicesContext);
  const viewer = context.get(viewerContext);
  if (!viewer) {
    const from = safeReturnPath(new URL(request.url).pathname);
    throw await redirectWithFlash(services, withReturnPath("/auth", from), {
      kind: "info",
      text: SIGN_IN_TEXTS.required,
      duration: 3000,
    });
  }
  if (!viewer.profileComplete)
    throw redirect(withReturnPath("/complete-profile", safeReturnPath(new URL(request.url).pathname) ?? "/home"));
  const parsed = form.safeParse(Object.fromEntries(await request.formData()));
  if (!parsed.success) return { ok: false, message: FOLLOW_TEXTS.failed };
  if (!(await services.limits.write(viewer.id))) return { ok: false, message: TOO_MANY_REQUESTS };
  const { shopId, follow } = parsed.data;
  const result = await changeFollow(services, { userId: viewer.id, shopId, follow: follow === "yes" });
  return result.ok ? { ok: true, message: "" } : { ok: false, message: FOLLOW_TEXTS[result.code] };
}
