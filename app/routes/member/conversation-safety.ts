import { redirect } from "react-router";
import { z } from "zod";
import type { Route } from "./+types/conversation-safety.ts";
import { TOO_MANY_REQUESTS } from "#app/platform/rate-limit-rules.ts";
import { requireViewer, servicesContext } from "#app/request/context.ts";
import { blockUser, unblockUser } from "#app/messaging/block-user.server.ts";
import { answerOrReturn } from "#app/screens/actions/answer-or-return.server.ts";
import { passOn, PRESS_FAILED } from "#app/ui/feedback/no-answer.ts";
import type { ActionResult } from "#app/ui/feedback/use-result-toast.ts";

const form = z.object({ intent: z.enum(["block", "unblock"]), otherId: z.uuid() });

/** This address has no page. */
export function loader() {
  return redirect("/home");
}

/** Blocks and unblocks people, from any page that shows a conversation. */
export async function action({ request, context }: Route.ActionArgs) {
  const viewer = requireViewer(context);
  const services = context.get(servicesContext);
  const fields = Object.fromEntries(await request.formData());
  const answer = answerOrReturn(services, fields);
  const parsed = form.safeParse(fields);
  if (!parsed.success) return answer(false, PRESS_FAILED, 400);
  if (!(await services.limits.write(viewer.id))) return answer(false, TOO_MANY_REQUESTS, 429);
  const { otherId } = parsed.data;
  switch (parsed.data.intent) {
    case "block":
      return (await blockUser(services, { userId: viewer.id, blockedId: otherId }))
        ? answer(true, "Blocked. You can't message each other any more.", 200)
        : answer(false, PRESS_FAILED, 404);
    case "unblock":
      await unblockUser(services, { userId: viewer.id, blockedId: otherId });
      return answer(true, "Unblocked. You can message each other again.", 200);
  }
}

/** A lost answer keeps the screen. Both actions are safe to repeat. */
export function clientAction({ serverAction }: Route.ClientActionArgs) {
  return passOn(serverAction, (): ActionResult => ({ ok: false, message: PRESS_FAILED }));
}
