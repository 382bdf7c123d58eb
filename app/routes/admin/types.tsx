import type { Route } from "./+types/types.ts";
import { TypesView } from "#app/admin/catalogue/types-view.tsx";
import { passAdminForm } from "#app/team/form-answer.ts";
import { typeForm } from "#app/admin/catalogue/catalogue-forms.ts";
import type { Admin } from "#app/team/perform-act.server.ts";
import { TYPE_TEXTS } from "#app/admin/catalogue/type-texts.ts";
import { ADMIN_TEXTS } from "#app/team/admin-texts.ts";
import {
  addType,
  forgetMissedSearch,
  listTypes,
  setTypeWord,
  unsetTypeWord,
} from "#app/admin/catalogue/types.server.ts";
import type { Services } from "#app/request/services.ts";
import { servicesContext } from "#app/request/context.ts";
import { readAdminForm } from "#app/screens/actions/admin-form.server.ts";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { ScreenFailed } from "#app/ui/feedback/screen-failed.tsx";
import { useFormAnswer } from "#app/ui/forms/use-form-answer.ts";
import type { z } from "zod";

const TITLE = "Types of Things";

export function meta() {
  return pageMeta(TITLE);
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const { searchParams } = new URL(request.url);
  const search = (searchParams.get("q") ?? "").trim().slice(0, 60);
  const category = searchParams.get("category");
  return { ...(await listTypes(context.get(servicesContext).db, { category, search })), category, search };
}

export async function action(args: Route.ActionArgs) {
  const sent = await readAdminForm(args, typeForm);
  if (!sent.ok) return sent.answer;
  const { services, admin, form, refuse, back } = sent;
  const result = await act(services, admin, form);
  if (result.ok) return back("success", TYPE_TEXTS[form.intent]);
  if (result.code === "stale") return back("error", ADMIN_TEXTS.stale);
  const { field, text } = TYPE_TEXTS.refused[result.code];
  return refuse({ [field === "word" && form.intent === "add-type" ? "name" : field]: text }, 400);
}

function act(services: Services, admin: Admin, form: z.infer<typeof typeForm>) {
  if (form.intent === "set-word") return setTypeWord(services, admin, form);
  if (form.intent === "unset-word") return unsetTypeWord(services, admin, form);
  if (form.intent === "add-type") return addType(services, admin, form);
  return forgetMissedSearch(services, admin, form.id);
}

export const clientAction = (args: Route.ClientActionArgs) => passAdminForm(args);

export default function Types({ loaderData, actionData }: Route.ComponentProps) {
  const answer = useFormAnswer(actionData);
  return <TypesView {...loaderData} answer={answer} />;
}

export function ErrorBoundary() {
  return <ScreenFailed title="We couldn't load the types" />;
}
