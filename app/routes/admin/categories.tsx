import type { Route } from "./+types/categories.ts";
import { CategoriesView } from "#app/admin/catalogue/categories-view.tsx";
import { listCategoriesForAdmins, mergeCategory, removeCategory } from "#app/admin/catalogue/categories.server.ts";
import { passAdminForm } from "#app/team/form-answer.ts";
import { categoryForm } from "#app/admin/catalogue/catalogue-forms.ts";
import { ADMIN_TEXTS } from "#app/team/admin-texts.ts";
import { servicesContext } from "#app/request/context.ts";
import { readAdminForm } from "#app/screens/actions/admin-form.server.ts";
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

export async function action(args: Route.ActionArgs) {
  const sent = await readAdminForm(args, categoryForm);
  if (!sent.ok) return sent.answer;
  const { services, admin, form, back } = sent;
  const result =
    form.intent === "merge-category"
      ? await mergeCategory(services, admin, form.id, form.into)
      : await removeCategory(services, admin, form.id);
  if (!result.ok) return back("error", result.code === "own_fee" ? OWN_FEE_TEXT : ADMIN_TEXTS[result.code]);
  return back("success", form.intent === "merge-category" ? ADMIN_TEXTS.category_merged : ADMIN_TEXTS.category_removed);
}

const OWN_FEE_TEXT = "Its listings would get another fee at once. Two owners change that under Income first.";

export const clientAction = (args: Route.ClientActionArgs) => passAdminForm(args);

export default function Categories({ loaderData, actionData }: Route.ComponentProps) {
  const answer = useFormAnswer(actionData);
  return <CategoriesView {...loaderData} answer={answer} />;
}

export function ErrorBoundary() {
  return <ScreenFailed title="We couldn't load the categories" />;
}
