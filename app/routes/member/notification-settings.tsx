import { data } from "react-router";
import type { Route } from "./+types/notification-settings.ts";
import { NotificationSettingsView, type SettingsAnswer } from "#app/notifications/components/notification-settings.tsx";
import { PushDevices } from "#app/notifications/components/push-devices.tsx";
import { listDevices, removeDevice } from "#app/notifications/push/push-subscriptions.server.ts";
import { PUSH_TEXTS } from "#app/notifications/push/push-texts.ts";
import { findNotificationSettings, saveNotificationSettings } from "#app/notifications/settings.server.ts";
import { readSettingsForm, type SettingsForm } from "#app/notifications/settings-rules.ts";
import { type FlashMessage, redirectWithFlash } from "#app/platform/flash.server.ts";
import { TOO_MANY_REQUESTS } from "#app/platform/rate-limit-rules.ts";
import { requireViewer, servicesContext } from "#app/request/context.ts";
import type { Services } from "#app/request/services.ts";
import { passOn } from "#app/ui/feedback/no-answer.ts";
import { useFailureToast } from "#app/ui/feedback/use-result-toast.ts";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { ScreenFailed } from "#app/ui/feedback/screen-failed.tsx";
import { useFormAnswer } from "#app/ui/forms/use-form-answer.ts";

const HERE = "/settings/notifications";
const FAILED = "We couldn't save this. Please try again.";

export function meta() {
  return pageMeta("Notification Settings");
}

export async function loader({ context }: Route.LoaderArgs) {
  const services = context.get(servicesContext);
  const viewer = requireViewer(context);
  const [devices, settings] = await Promise.all([
    listDevices(services, viewer.id),
    findNotificationSettings(services.db, viewer.id),
  ]);
  return { devices, settings, publicKey: services.push?.publicKey ?? null };
}

export async function action({ request, context }: Route.ActionArgs) {
  const services = context.get(servicesContext);
  const viewer = requireViewer(context);
  const sent = await request.formData();
  const isAllowed = await services.limits.write(viewer.id);
  switch (sent.get("intent")) {
    case "remove-device":
      if (!isAllowed) return back(services, { kind: "error", text: TOO_MANY_REQUESTS });
      // A device that is gone already is as removed as it can be.
      await removeDevice(services, viewer.id, String(sent.get("device")).slice(0, 100));
      return back(services, { kind: "success", text: PUSH_TEXTS.removed });
    case "save": {
      const form = readSent(sent);
      if (!isAllowed) return refuse(429, { errors: { form: TOO_MANY_REQUESTS }, sent: form });
      const read = readSettingsForm(form);
      if (!read.ok) return refuse(400, { errors: read.errors, sent: form });
      await saveNotificationSettings(services, viewer.id, read);
      return back(services, { kind: "success", text: "Saved" });
    }
    default:
      return refuse(400, { errors: { form: FAILED }, sent: null });
  }
}

function readSent(sent: FormData): SettingsForm {
  const textOf = (name: string) => String(sent.get(name) ?? "").slice(0, 1_000);
  return {
    ticked: sent.getAll("choice").map(String),
    opened: textOf("opened").split(" "),
    isQuiet: sent.has("quiet"),
    from: textOf("from"),
    until: textOf("until"),
    openedQuiet: sent.has("openedQuiet") ? textOf("openedQuiet") : null,
  };
}

function back(services: Services, flash: Omit<FlashMessage, "id">) {
  return redirectWithFlash(services, HERE, flash);
}

function refuse(status: number, answer: SettingsAnswer) {
  return data(answer, status);
}

/** A lost answer leaves the form as it is. */
export function clientAction({ serverAction }: Route.ClientActionArgs) {
  return passOn(serverAction, (): SettingsAnswer => ({ errors: { form: FAILED }, sent: null }));
}

export default function NotificationSettings({
  loaderData: { devices, settings, publicKey },
  actionData,
}: Route.ComponentProps) {
  const answer = useFormAnswer(actionData);
  useFailureToast(answer, answer?.errors.form);
  return (
    <NotificationSettingsView
      {...settings}
      answer={answer}
      devices={<PushDevices devices={devices} publicKey={publicKey} />}
    />
  );
}

export function ErrorBoundary() {
  return <ScreenFailed title="We couldn't load your notification settings" />;
}
