import type { Route } from "./+types/universities.ts";
import { universityForm } from "#app/admin/people/people-forms.ts";
import { ADMIN_TEXTS } from "#app/team/admin-texts.ts";
import { UniversitiesView } from "#app/admin/people/universities-view.tsx";
import { passAdminForm } from "#app/team/form-answer.ts";
import { addUniversity, listUniversities, removeUniversity } from "#app/admin/people/universities.server.ts";
import { DOMAIN_TEXTS } from "#app/admin/people/university-rules.ts";
import { servicesContext } from "#app/request/context.ts";
import { readAdminForm } from "#app/screens/actions/admin-form.server.ts";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { ScreenFailed } from "#app/ui/feedback/screen-failed.tsx";
import { useFormAnswer } from "#app/ui/forms/use-form-answer.ts";

export function meta() {
  return pageMeta("Universities");
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const search = (new URL(request.url).searchParams.get("q") ?? "").trim().slice(0, 60);
  return { ...(await listUniversities(context.get(servicesContext).db, search)), search };
}

export async function action(args: Route.ActionArgs) {
  const sent = await readAdminForm(args, universityForm);
  if (!sent.ok) return sent.answer;
  const { services, admin, form, refuse, back } = sent;
  const result =
    form.intent === "add"
      ? await addUniversity(services, admin, form)
      : await removeUniversity(services, admin, form.id);
  if (result.ok) return back("success", form.intent === "add" ? DOMAIN_TEXTS.added : DOMAIN_TEXTS.removed);
  if (result.code === "listed") return refuse({ domain: DOMAIN_TEXTS.listed }, 400);
  return back("error", ADMIN_TEXTS.stale);
}

export const clientAction = (args: Route.ClientActionArgs) => passAdminForm(args);

export default function Universities({ loaderData, actionData }: Route.ComponentProps) {
  const answer = useFormAnswer(actionData);
  return <UniversitiesView {...loaderData} answer={answer} />;
}

export function ErrorBoundary() {
  return <ScreenFailed title="We couldn't load the universities" />;
}
