import type { Route } from "./+types/universities.ts";
import { universityForm } from "#app/admin/admin-forms.ts";
import { backToAdminPage, readAdminForm } from "#app/admin/admin-pages.server.ts";
import { ADMIN_TEXTS } from "#app/admin/admin-rules.ts";
import { UniversitiesView } from "#app/admin/components/universities-view.tsx";
import { passAdminForm } from "#app/admin/form-answer.ts";
import { addUniversity, listUniversities, removeUniversity } from "#app/admin/universities.server.ts";
import { DOMAIN_TEXTS } from "#app/admin/university-rules.ts";
import { requireViewer, servicesContext } from "#app/request/context.ts";
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

export async function action({ request, context }: Route.ActionArgs) {
  const services = context.get(servicesContext);
  const viewer = requireViewer(context);
  const sent = await readAdminForm(services, viewer, request, universityForm);
  if (!sent.ok) return sent.answer;
  const { form } = sent;
  const result =
    form.intent === "add"
      ? await addUniversity(services, viewer, form)
      : await removeUniversity(services, viewer, form.id);
  if (result.ok)
    return backToAdminPage(services, request, {
      kind: "success",
      text: form.intent === "add" ? DOMAIN_TEXTS.added : DOMAIN_TEXTS.removed,
    });
  if (result.code === "listed") return sent.refuse({ domain: DOMAIN_TEXTS.listed }, 400);
  return backToAdminPage(services, request, { kind: "error", text: ADMIN_TEXTS.stale });
}

export const clientAction = (args: Route.ClientActionArgs) => passAdminForm(args);

export default function Universities({ loaderData, actionData }: Route.ComponentProps) {
  const answer = useFormAnswer(actionData);
  return <UniversitiesView {...loaderData} answer={answer} />;
}

export function ErrorBoundary() {
  return <ScreenFailed title="We couldn't load the universities" />;
}
