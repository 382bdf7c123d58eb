import { z } from "zod";
import type { Route } from "./+types/prohibited.ts";
import { ProhibitedView } from "#app/admin/catalogue/prohibited-view.tsx";
import { passAdminForm } from "#app/team/form-answer.ts";
import { termForm } from "#app/admin/catalogue/catalogue-forms.ts";
import { TERM_TEXTS } from "#app/admin/catalogue/term-texts.ts";
import { ADMIN_TEXTS } from "#app/team/admin-texts.ts";
import { addTerm, listTerms, removeTerm } from "#app/admin/catalogue/prohibited.server.ts";
import { TERM_KINDS } from "#app/catalogue/selling/prohibited-rules.ts";
import { servicesContext } from "#app/request/context.ts";
import { readAdminForm } from "#app/screens/actions/admin-form.server.ts";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { ScreenFailed } from "#app/ui/feedback/screen-failed.tsx";
import { useFormAnswer } from "#app/ui/forms/use-form-answer.ts";

const TITLE = "Prohibited Goods";

export function meta() {
  return pageMeta(TITLE);
}

const shownKind = z.enum(TERM_KINDS).catch("word");

export async function loader({ request, context }: Route.LoaderArgs) {
  const { searchParams } = new URL(request.url);
  const search = (searchParams.get("q") ?? "").trim().slice(0, 60);
  const kind = shownKind.parse(searchParams.get("kind"));
  return { ...(await listTerms(context.get(servicesContext).db, { kind, search })), kind, search };
}

export async function action(args: Route.ActionArgs) {
  const sent = await readAdminForm(args, termForm);
  if (!sent.ok) return sent.answer;
  const { services, admin, form, refuse, back } = sent;
  const result =
    form.intent === "add-term" ? await addTerm(services, admin, form) : await removeTerm(services, admin, form.id);
  if (result.ok) return back("success", form.intent === "add-term" ? TERM_TEXTS.added : TERM_TEXTS.removed);
  if (result.code === "stale") return back("error", ADMIN_TEXTS.stale);
  return refuse({ term: TERM_TEXTS[result.code] }, result.code === "empty" ? 400 : 409);
}

export const clientAction = (args: Route.ClientActionArgs) => passAdminForm(args);

export default function Prohibited({ loaderData, actionData }: Route.ComponentProps) {
  const answer = useFormAnswer(actionData);
  return <ProhibitedView {...loaderData} answer={answer} />;
}

export function ErrorBoundary() {
  return <ScreenFailed title="We couldn't load the list" />;
}
