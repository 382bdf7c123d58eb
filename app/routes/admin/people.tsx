import type { Route } from "./+types/people.ts";
import { PeopleView } from "#app/admin/people/people-view.tsx";
import { passAdminForm } from "#app/team/form-answer.ts";
import { personForm } from "#app/admin/people/people-forms.ts";
import { listPeople } from "#app/admin/people/people.server.ts";
import { ADMIN_TEXTS } from "#app/team/admin-texts.ts";
import { restoreUser, suspendUser } from "#app/moderation/suspensions/suspensions.server.ts";
import { servicesContext } from "#app/request/context.ts";
import { readAdminForm } from "#app/screens/actions/admin-form.server.ts";
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

export async function action(args: Route.ActionArgs) {
  const sent = await readAdminForm(args, personForm);
  if (!sent.ok) return sent.answer;
  const { services, admin, form, back } = sent;
  const result =
    form.intent === "suspend-user"
      ? await suspendUser(services, admin, form.id, form.reason)
      : await restoreUser(services, admin, form.id);
  if (!result.ok) {
    const text = ADMIN_TEXTS[result.code === "decided" ? "decided_by_you" : result.code];
    return back("error", text);
  }
  services.drainOutbox();
  const done = form.intent === "suspend-user" ? "user_suspended" : "user_restored";
  return back("success", ADMIN_TEXTS[result.waits ? "deals_wait" : done]);
}

export const clientAction = (args: Route.ClientActionArgs) => passAdminForm(args);

export default function People({ loaderData, actionData }: Route.ComponentProps) {
  const answer = useFormAnswer(actionData);
  return <PeopleView {...loaderData} answer={answer} />;
}

export function ErrorBoundary() {
  return <ScreenFailed title="We couldn't load the people" />;
}
