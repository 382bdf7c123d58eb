import { redirect } from "react-router";
import { z } from "zod";
import type { Route } from "./+types/notifications.ts";
import { markAllRead } from "#app/notifications/centre.server.ts";
import { redirectWithFlash } from "#app/platform/flash.server.ts";
import { formNumber } from "#app/platform/form-number.ts";
import { readDigits } from "#app/platform/number-rules.ts";
import { TOO_MANY_REQUESTS } from "#app/platform/rate-limit-rules.ts";
import { requireViewer, servicesContext } from "#app/request/context.ts";
import { findCentrePage } from "#app/screens/notifications/centre.server.ts";
import { CentreView } from "#app/screens/notifications/centre-view.tsx";
import { NOTIFICATIONS_PATH } from "#app/screens/notifications/notifications-path.ts";
import { passOn } from "#app/ui/feedback/no-answer.ts";
import { ScreenFailed } from "#app/ui/feedback/screen-failed.tsx";
import { useResultToast } from "#app/ui/feedback/use-result-toast.ts";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { useFormAnswer } from "#app/ui/forms/use-form-answer.ts";

export function meta() {
  return pageMeta("Notifications");
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const viewer = requireViewer(context);
  const { db, now } = context.get(servicesContext);
  const before = readDigits(new URL(request.url).searchParams.get("before") ?? "");
  return {
    ...(await findCentrePage(db, viewer.id, before)),
    unread: viewer.counts.notifications,
    now: now(),
  };
}

const form = z.object({ upTo: formNumber() });

/** "Mark all as read". Anything else changes nothing. */
export async function action({ request, context }: Route.ActionArgs) {
  const viewer = requireViewer(context);
  const services = context.get(servicesContext);
  const parsed = form.safeParse(Object.fromEntries(await request.formData()));
  if (!(await services.limits.write(viewer.id)))
    return redirectWithFlash(services, NOTIFICATIONS_PATH, { kind: "error", text: TOO_MANY_REQUESTS });
  if (parsed.success) await markAllRead(services, viewer.id, parsed.data.upTo);
  return redirect(NOTIFICATIONS_PATH);
}

/** A lost answer leaves the list as it is. */
export function clientAction({ serverAction }: Route.ClientActionArgs) {
  return passOn(serverAction, () => ({ ok: false, message: "We couldn't mark them as read. Please try again." }));
}

export default function Notifications({ loaderData, actionData }: Route.ComponentProps) {
  const answer = useFormAnswer(actionData);
  useResultToast(answer);
  const { entries, next, unread, now } = loaderData;
  return <CentreView first={{ entries, next }} unread={unread} now={now} />;
}

export function ErrorBoundary() {
  return <ScreenFailed title="We couldn't load your notifications" />;
}
