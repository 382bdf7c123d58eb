import type { Route } from "./+types/categories.ts";
import { CategoriesView } from "#app/admin/components/categories-view.tsx";
import { listCategoriesForAdmins, mergeCategory, removeCategory } from "#app/admin/categories.server.ts";
import { passAdminForm } from "#app/admin/form-answer.ts";
import { categoryForm } from "#app/admin/admin-forms.ts";
import { backToAdminPage, readAdminForm } from "#app/admin/admin-pages.server.ts";
import { ADMIN_TEXTS } from "#app/admin/admin-rules.ts";
import { requireViewer, servicesContext } from "#app/request/context.ts";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { ScreenFailed } from "#app/ui/feedback/screen-failed.tsx";
import { useFormAnswer } from "#app/ui/forms/use-form-answer.ts";

export function meta() {
  return pageMeta("Categories");
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const search = (new URL(request.url).searchParams.get("q") ?? "").trim().slice(0, 60);
  return { ...(await listCategoriesForAdmins(context.get(servicesContext).db, search)), search };
}

export async function action({ request, context }: Route.ActionArgs) {
  const services = context.get(servicesContext);
  const viewer = requireViewer(context);
  const sent = await readAdminForm(services, viewer, request, categoryForm);
  if (!sent.ok) return sent.answer;
  const { form } = sent;
  const result =
    form.intent === "merge-category"
      ? await mergeCategory(services, viewer, form.id, form.into)
      : await removeCategory(services, viewer, form.id);
  if (!result.ok) return backToAdminPage(services, request, { kind: "error", text: ADMIN_TEXTS[result.code] });
  return backToAdminPage(services, request, {
    kind: "success",
    text: form.intent === "merge-category" ? ADMIN_TEXTS.category_merged : ADMIN_TEXTS.category_removed,
  });
}

export const clientAction = (args: Route.ClientActionArgs) => passAdminForm(args);

export default function Categories({ loaderData, actionData }: Route.ComponentProps) {
  const answer = useFormAnswer(actionData);
  return <CategoriesView {...loaderData} answer={answer} />;
}

export function ErrorBoundary() {
  return <ScreenFailed title="We couldn't load the categories" />;
}
