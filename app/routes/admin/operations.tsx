import type { Route } from "./+types/operations.ts";
import { operationsForm } from "#app/admin/admin-forms.ts";
import { backToAdminPage, readAdminForm } from "#app/admin/admin-pages.server.ts";
import { ADMIN_TEXTS } from "#app/admin/admin-rules.ts";
import { OperationsView } from "#app/admin/components/operations-view.tsx";
import { retryEmails } from "#app/admin/failed-emails.server.ts";
import { passAdminForm } from "#app/admin/form-answer.ts";
import { readOperations } from "#app/admin/operations.server.ts";
import { requireViewer, servicesContext } from "#app/request/context.ts";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { ScreenFailed } from "#app/ui/feedback/screen-failed.tsx";
import { useFormAnswer } from "#app/ui/forms/use-form-answer.ts";

export function meta() {
  return pageMeta("Operations");
}

export function loader({ context }: Route.LoaderArgs) {
  return readOperations(context.get(servicesContext));
}

export async function action({ request, context }: Route.ActionArgs) {
  const services = context.get(servicesContext);
  const viewer = requireViewer(context);
  const sent = await readAdminForm(services, viewer, request, operationsForm);
  if (!sent.ok) return sent.answer;
  const { form } = sent;
  const done = await retryEmails(services, viewer, form.intent === "send" ? form.id : null);
  if (!done) return backToAdminPage(services, request, { kind: "error", text: ADMIN_TEXTS.stale });
  services.drainOutbox();
  return backToAdminPage(services, request, { kind: "success", text: ADMIN_TEXTS.emails_retried });
}

export const clientAction = (args: Route.ClientActionArgs) => passAdminForm(args);

export default function OperationsPage({ loaderData, actionData }: Route.ComponentProps) {
  const answer = useFormAnswer(actionData);
  return <OperationsView {...loaderData} answer={answer} />;
}

export function ErrorBoundary() {
  return <ScreenFailed title="We couldn't load the operations page" />;
}
