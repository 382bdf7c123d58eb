import { redirect } from "react-router";
import type { Route } from "./+types/notification-settings.ts";
import { PushDevices } from "#app/notifications/components/push-devices.tsx";
import { listDevices, removeDevice } from "#app/notifications/push-subscriptions.server.ts";
import { PUSH_TEXTS } from "#app/notifications/push-texts.ts";
import type { FlashMessage } from "#app/platform/flash.server.ts";
import { TOO_MANY_REQUESTS } from "#app/platform/rate-limit-rules.ts";
import { requireViewer, servicesContext } from "#app/request/context.ts";
import type { Services } from "#app/request/services.ts";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { ErrorState } from "#app/ui/feedback/state.tsx";

const HERE = "/settings/notifications";

export function meta() {
  return pageMeta("Notification Settings");
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const services = context.get(servicesContext);
  const viewer = requireViewer(context);
  const session = await services.sessions.read(request);
  const asker = { userId: viewer.id, id: session?.identity.id ?? "" };
  return { devices: await listDevices(services, asker), isOn: services.push !== null };
}

export async function action({ request, context }: Route.ActionArgs) {
  const services = context.get(servicesContext);
  const viewer = requireViewer(context);
  const form = await request.formData();
  if (!(await services.limits.write(viewer.id))) return back(services, { kind: "error", text: TOO_MANY_REQUESTS });
  if (form.get("intent") !== "remove-device") return redirect(HERE);
  // A device that is gone already is as removed as it can be.
  await removeDevice(services, viewer.id, String(form.get("device")).slice(0, 100));
  return back(services, { kind: "success", text: PUSH_TEXTS.removed });
}

async function back(services: Services, flash: Omit<FlashMessage, "id">) {
  return redirect(HERE, { headers: { "Set-Cookie": await services.flash.write(flash) } });
}

export default function NotificationSettings({ loaderData }: Route.ComponentProps) {
  return (
    <div className="page page--reading stack stack--loose">
      <PageHeader
        title="Notification Settings"
        lead="Choose where Chuoni tells you what happens."
        back={{ to: "/profile?tab=settings", label: "Settings" }}
      />
      <section className="stack" aria-labelledby="devices">
        <div>
          <h2 id="devices">Devices</h2>
          <p className="quiet">
            They show a notification while Chuoni is closed. A locked screen never shows a phone number, a code or an
            amount.
          </p>
        </div>
        <PushDevices {...loaderData} />
      </section>
    </div>
  );
}

export function ErrorBoundary() {
  return (
    <div className="page">
      <ErrorState
        level={1}
        title="Failed to load your notification settings"
        sentence="Please check your connection and try again."
      />
    </div>
  );
}
