import { type ActionFunctionArgs, data } from "react-router";
import { z } from "zod";
import { MEETING_EVENTS } from "#app/db/states/meeting.ts";
import type { MeetingAnswer } from "#app/meetings/components/meeting-view.tsx";
import { orderPathOf } from "#app/meetings/find-meeting.server.ts";
import { STEP_DONE, stepRefusalText } from "#app/meetings/meeting-step-texts.ts";
import { MEETING_TEXTS } from "#app/meetings/meeting-texts.ts";
import { stepMeeting } from "#app/meetings/meetings.server.ts";
import { redirectWithFlash } from "#app/platform/flash.server.ts";
import { formNumber } from "#app/platform/form-number.ts";
import { TOO_MANY_REQUESTS } from "#app/platform/rate-limit-rules.ts";
import { requireViewer, servicesContext } from "#app/request/context.ts";

const typed = z.string().max(500).default("");
const form = z.object({
  intent: z.enum(MEETING_EVENTS),
  round: formNumber(0, 1_000),
  point: typed,
  otherPlace: typed,
  day: typed,
  time: typed,
});

/** The steps of a meeting. The route has the parameter `itemId`. */
export async function meetingAction({ request, params: { itemId = "" }, context }: ActionFunctionArgs) {
  const viewer = requireViewer(context);
  const services = context.get(servicesContext);
  const parsed = form.safeParse(Object.fromEntries(await request.formData()));
  if (!parsed.success) return data<MeetingAnswer>({ ok: false, message: MEETING_TEXTS.failed }, 400);
  const { intent, round, ...values } = parsed.data;
  const isForm = intent === "suggested";
  const refuse = (status: number, message: string, errors: MeetingAnswer["errors"] = { form: message }) =>
    data<MeetingAnswer>({ ok: false, message, ...(isForm && { errors, typed: values }) }, status);
  if (!(await services.limits.write(viewer.id))) return refuse(429, TOO_MANY_REQUESTS);
  const stepped = await stepMeeting(services, { itemId, by: viewer.id, step: intent, round, values });
  if (stepped.ok) {
    services.drainOutbox();
    if (!isForm) return data<MeetingAnswer>({ ok: true, message: STEP_DONE[intent] }, 200);
    return redirectWithFlash(services, orderPathOf(stepped.item, viewer.id), {
      kind: "success",
      text: STEP_DONE.suggested,
    });
  }
  if (stepped.code === "not_found") throw data(null, { status: 404 });
  if (stepped.code === "invalid") return refuse(400, Object.values(stepped.errors)[0] ?? "", stepped.errors);
  const { status, message } = stepRefusalText(stepped.code);
  return refuse(status, message);
}
