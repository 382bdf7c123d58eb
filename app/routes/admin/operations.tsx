import type { Route } from "./+types/operations.ts";
import { operationsForm } from "#app/admin/operations/operations-forms.ts";
import { ADMIN_TEXTS } from "#app/team/admin-texts.ts";
import { OperationsView } from "#app/admin/operations/operations-view.tsx";
import { retryEmails } from "#app/admin/operations/failed-emails.server.ts";
import { passAdminForm } from "#app/team/form-answer.ts";
import { readOperations } from "#app/admin/operations/operations.server.ts";
import { servicesContext } from "#app/request/context.ts";
import { readAdminForm } from "#app/screens/actions/admin-form.server.ts";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { ScreenFailed } from "#app/ui/feedback/screen-failed.tsx";
import { useFormAnswer } from "#app/ui/forms/use-form-answer.ts";

export function meta() {
  return pageMeta("Operations");
}

export function loader({ context }: Route.LoaderArgs) {
  return readOperations(context.get(servicesContext));
}

export async function action(args: Route.ActionArgs) {
  const sent = await readAdminForm(args, operationsForm);
  if (!sent.ok) return sent.answer;
  const { services, admin, form, back } = sent;
  const done = await retryEmails(services, admin, form.intent === "send" ? form.id : null);
  if (!done) return back("error", ADMIN_TEXTS.stale);
  services.drainOutbox();
  return back("success", ADMIN_TEXTS.emails_retried);
}

export const clientAction = (args: Route.ClientActionArgs) => passAdminForm(args);

export default function OperationsPage({ loaderData, actionData }: Route.ComponentProps) {
  const answer = useFormAnswer(actionData);
  return <OperationsView {...loaderData} answer={answer} />;
}

export function ErrorBoundary() {
  return <ScreenFailed title="We couldn't load the operations page" />;
}
