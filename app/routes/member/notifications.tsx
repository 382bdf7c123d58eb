import { redirect } from "react-router";
import { z } from "zod";
import type { Route } from "./+types/notifications.ts";
import { markAllRead } from "#app/notifications/centre.server.ts";
import { formNumber } from "#app/platform/form-number.ts";
import { readDigits } from "#app/platform/number-rules.ts";
import { requireViewer, servicesContext } from "#app/request/context.ts";
import { findCentrePage } from "#app/screens/notifications/centre.server.ts";
import { CentreView } from "#app/screens/notifications/centre-view.tsx";
import { NOTIFICATIONS_PATH } from "#app/screens/notifications/notifications-path.ts";
import { ErrorState } from "#app/ui/feedback/state.tsx";
import { pageMeta } from "#app/ui/page/page-meta.ts";

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
  if (parsed.success && (await services.limits.write(viewer.id)))
    await markAllRead(services, viewer.id, parsed.data.upTo);
  return redirect(NOTIFICATIONS_PATH);
}

export default function Notifications({ loaderData }: Route.ComponentProps) {
  const { entries, next, unread, now } = loaderData;
  return <CentreView first={{ entries, next }} unread={unread} now={now} />;
}

export function ErrorBoundary() {
  return (
    <div className="page">
      <ErrorState
        level={1}
        title="We couldn't load your notifications"
        sentence="Please check your connection and try again."
      />
    </div>
  );
}
