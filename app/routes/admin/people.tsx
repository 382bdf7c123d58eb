import type { Route } from "./+types/people.ts";
import { PeopleView } from "#app/admin/components/people-view.tsx";
import { passAdminForm } from "#app/admin/form-answer.ts";
import { personForm } from "#app/admin/admin-forms.ts";
import { backToAdminPage, readAdminForm } from "#app/admin/admin-pages.server.ts";
import { listPeople } from "#app/admin/people.server.ts";
import { ADMIN_TEXTS } from "#app/admin/admin-rules.ts";
import { restoreUser, suspendUser } from "#app/admin/suspensions.server.ts";
import { requireViewer, servicesContext } from "#app/request/context.ts";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { ScreenFailed } from "#app/ui/feedback/screen-failed.tsx";
import { useFormAnswer } from "#app/ui/forms/use-form-answer.ts";

export function meta() {
  return pageMeta("People");
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const { searchParams } = new URL(request.url);
  const search = (searchParams.get("q") ?? "").trim().slice(0, 60);
  const after = searchParams.get("after");
  return { ...(await listPeople(context.get(servicesContext).db, search, after)), search, begun: after !== null };
}

export async function action({ request, context }: Route.ActionArgs) {
  const services = context.get(servicesContext);
  const viewer = requireViewer(context);
  const sent = await readAdminForm(services, viewer, request, personForm);
  if (!sent.ok) return sent.answer;
  const { form } = sent;
  const result =
    form.intent === "suspend-user"
      ? await suspendUser(services, viewer, form.id, form.reason)
      : await restoreUser(services, viewer, form.id);
  if (!result.ok) {
    const text = ADMIN_TEXTS[result.code === "decided" ? "decided_by_you" : result.code];
    return backToAdminPage(services, request, { kind: "error", text });
  }
  services.drainOutbox();
  const done = form.intent === "suspend-user" ? "user_suspended" : "user_restored";
  return backToAdminPage(services, request, {
    kind: "success",
    text: ADMIN_TEXTS[result.waits ? "deals_wait" : done],
  });
}

export const clientAction = (args: Route.ClientActionArgs) => passAdminForm(args);

export default function People({ loaderData, actionData }: Route.ComponentProps) {
  const answer = useFormAnswer(actionData);
  return <PeopleView {...loaderData} answer={answer} />;
}

export function ErrorBoundary() {
  return <ScreenFailed title="We couldn't load the people" />;
}
