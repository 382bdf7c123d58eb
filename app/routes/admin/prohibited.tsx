import { z } from "zod";
import type { Route } from "./+types/prohibited.ts";
import { ProhibitedView } from "#app/admin/components/prohibited-view.tsx";
import { passAdminForm } from "#app/admin/form-answer.ts";
import { termForm } from "#app/admin/admin-forms.ts";
import { backToAdminPage, readAdminForm } from "#app/admin/admin-pages.server.ts";
import { ADMIN_TEXTS, TERM_TEXTS } from "#app/admin/admin-rules.ts";
import { addTerm, listTerms, removeTerm } from "#app/admin/prohibited.server.ts";
import { TERM_KINDS } from "#app/catalogue/selling/prohibited-rules.ts";
import { requireViewer, servicesContext } from "#app/request/context.ts";
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

export async function action({ request, context }: Route.ActionArgs) {
  const services = context.get(servicesContext);
  const viewer = requireViewer(context);
  const sent = await readAdminForm(services, viewer, request, termForm);
  if (!sent.ok) return sent.answer;
  const { form } = sent;
  const result =
    form.intent === "add-term" ? await addTerm(services, viewer, form) : await removeTerm(services, viewer, form.id);
  if (result.ok)
    return backToAdminPage(services, request, {
      kind: "success",
      text: form.intent === "add-term" ? TERM_TEXTS.added : TERM_TEXTS.removed,
    });
  if (result.code === "stale") return backToAdminPage(services, request, { kind: "error", text: ADMIN_TEXTS.stale });
  return sent.refuse({ term: TERM_TEXTS[result.code] }, result.code === "empty" ? 400 : 409);
}

export const clientAction = (args: Route.ClientActionArgs) => passAdminForm(args);

export default function Prohibited({ loaderData, actionData }: Route.ComponentProps) {
  const answer = useFormAnswer(actionData);
  return <ProhibitedView {...loaderData} answer={answer} />;
}

export function ErrorBoundary() {
  return <ScreenFailed title="We couldn't load the list" />;
}
