import { redirect } from "react-router";
import { z } from "zod";
import type { Route } from "./+types/wait-for-stock.ts";
import { joinWaitingList, leaveWaitingList } from "#app/catalogue/stock/stock-waits.server.ts";
import { WAIT_TEXTS } from "#app/catalogue/stock/stock-waits-rules.ts";
import { TOO_MANY_REQUESTS } from "#app/platform/rate-limit-rules.ts";
import { requireViewer, servicesContext } from "#app/request/context.ts";
import { answerOrReturn } from "#app/screens/actions/answer-or-return.server.ts";

const form = z.object({ wait: z.enum(["yes", "no"]) });

export function loader({ params }: Route.LoaderArgs) {
  return redirect(`/product/${params.productId}`);
}

/**
 * Puts the viewer on a product's waiting list, or takes them off it. Scripts get `{ ok, message }`.
 */
export async function action({ request, params, context }: Route.ActionArgs) {
  const services = context.get(servicesContext);
  const viewer = requireViewer(context);
  const fields = Object.fromEntries(await request.formData());
  const answer = answerOrReturn(services, fields);
  const parsed = form.safeParse(fields);
  if (!parsed.success) return answer(false, WAIT_TEXTS.failed, 400);
  if (!(await services.limits.write(viewer.id))) return answer(false, TOO_MANY_REQUESTS, 429);
  const wait = { userId: viewer.id, productId: params.productId };
  if (parsed.data.wait === "no") {
    await leaveWaitingList(services, wait);
    return answer(true, WAIT_TEXTS.left, 200);
  }
  const joined = await joinWaitingList(services, wait);
  if (joined.ok) return answer(true, WAIT_TEXTS.joined, 200);
  return answer(false, WAIT_TEXTS[joined.code], joined.code === "not_found" ? 404 : 409);
}
