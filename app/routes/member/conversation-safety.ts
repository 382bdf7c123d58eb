import { data, redirect } from "react-router";
import { z } from "zod";
import type { Route } from "./+types/conversation-safety.ts";
import { TOO_MANY_REQUESTS } from "#app/platform/rate-limit-rules.ts";
import { requireViewer, servicesContext } from "#app/request/context.ts";
import { blockUser, unblockUser } from "#app/messaging/block-user.server.ts";
import { passOn } from "#app/ui/feedback/no-answer.ts";
import type { ActionResult } from "#app/ui/feedback/use-result-toast.ts";

const form = z.object({ intent: z.enum(["block", "unblock"]), otherId: z.uuid() });

const FAILED = "That didn't work. Please try again.";

/** This address has no page. */
export function loader() {
  return redirect("/home");
}

/** Blocks and unblocks people, from any page that shows a conversation. */
export async function action({ request, context }: Route.ActionArgs) {
  const viewer = requireViewer(context);
  const services = context.get(servicesContext);
  const parsed = form.safeParse(Object.fromEntries(await request.formData()));
  if (!parsed.success) return answer(400, FAILED);
  if (!(await services.limits.write(viewer.id))) return answer(429, TOO_MANY_REQUESTS);
  const { otherId } = parsed.data;
  switch (parsed.data.intent) {
    case "block":
      return (await blockUser(services, { userId: viewer.id, blockedId: otherId }))
        ? answer(200, "Blocked. You can't message each other any more.")
        : answer(404, FAILED);
    case "unblock":
      await unblockUser(services, { userId: viewer.id, blockedId: otherId });
      return answer(200, "Unblocked. You can message each other again.");
  }
}

/** A lost answer keeps the screen. Both actions are safe to repeat. */
export function clientAction({ serverAction }: Route.ClientActionArgs) {
  return passOn(serverAction, (): ActionResult => ({ ok: false, message: FAILED }));
}

function answer(status: number, message: string) {
  return data<ActionResult>({ ok: status === 200, message }, status);
}
