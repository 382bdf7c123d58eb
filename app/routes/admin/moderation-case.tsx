import { data } from "react-router";
import type { Route } from "./+types/moderation-case.ts";
import { type CaseAnswer, caseForm, formErrors } from "#app/admin/admin-forms.ts";
import { ADMIN_TEXTS } from "#app/admin/admin-rules.ts";
import { answerAppeal, type CaseResult, decideCase } from "#app/admin/case-decisions.server.ts";
import { CaseView } from "#app/admin/components/case-view.tsx";
import { addCaseNote, findCase } from "#app/admin/moderation.server.ts";
import { redirectWithFlash } from "#app/platform/flash.server.ts";
import { TOO_MANY_REQUESTS } from "#app/platform/rate-limit-rules.ts";
import { screenPath } from "#app/platform/screen-path.ts";
import { readCursor } from "#app/catalogue/catalogue-rules.ts";
import { requireViewer, servicesContext } from "#app/request/context.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { passOn, reloadsOnConflict } from "#app/ui/feedback/no-answer.ts";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { ScreenFailed } from "#app/ui/feedback/screen-failed.tsx";
import { useFormAnswer } from "#app/ui/forms/use-form-answer.ts";

export function meta() {
  return pageMeta("Case");
}

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const { searchParams } = new URL(request.url);
  const page = await findCase(context.get(servicesContext).db, requireViewer(context), params.caseId, {
    before: readCursor(searchParams.get("before")),
    after: readCursor(searchParams.get("after")),
  });
  if (!page) throw data(null, { status: 404 });
  return { page };
}

export async function action({ request, params: { caseId }, context }: Route.ActionArgs) {
  const services = context.get(servicesContext);
  const admin = requireViewer(context);
  const sent = await request.formData();
  const words = wordsOf(sent);
  const refuse = (status: number, errors: CaseAnswer["errors"]) =>
    data<CaseAnswer>({ subject: subjectOf(sent), errors, words }, status);
  const parsed = caseForm.safeParse(Object.fromEntries(sent));
  if (!parsed.success) return refuse(400, formErrors(parsed.error));
  if (!(await services.limits.write(admin.id))) return refuse(429, { form: TOO_MANY_REQUESTS });
  const form = parsed.data;
  switch (form.intent) {
    case "note":
      return (await addCaseNote(services, admin, caseId, form.note))
        ? redirectWithFlash(services, screenPath(request), { kind: "success", text: ADMIN_TEXTS.noted })
        : notFound();
    case "decide-case":
      if (form.decision === "suspended" && form.confirmed !== "yes")
        return data<CaseAnswer>({ subject: subjectOf(sent), errors: {}, words: form.statement, confirm: true });
      return proceed(await decideCase(services, admin, { caseId, ...form }), "case_decided");
    case "answer-appeal": {
      const answered = await answerAppeal(services, admin, {
        caseId,
        granted: form.granted === "yes",
        answer: form.answer,
        seen: form.seen,
      });
      return proceed(answered, "appeal_answered");
    }
  }

  /** Opens the next case, or returns to the case that couldn't be decided, with what was typed if it has changed. */
  function proceed(result: CaseResult, done: "case_decided" | "appeal_answered") {
    if (!result.ok) {
      if (result.code === "not_found") return notFound();
      if (result.code === "stale") return refuse(409, { form: ADMIN_TEXTS.stale });
      const text = ADMIN_TEXTS[result.code === "decided" ? "decided_by_you" : result.code];
      return redirectWithFlash(services, screenPath(request), { kind: "error", text });
    }
    services.drainOutbox();
    return redirectWithFlash(services, result.nextId ? `/admin/moderation/${result.nextId}` : "/admin/moderation", {
      kind: "success",
      text: ADMIN_TEXTS[result.waits ?? done],
    });
  }
}

export const shouldRevalidate = reloadsOnConflict;

function notFound(): never {
  throw data(null, { status: 404 });
}

function wordsOf(sent: FormData): string | undefined {
  const words = sent.get("statement") ?? sent.get("answer");
  return typeof words === "string" ? words : undefined;
}

/** Names the form that was sent: a case has one form of an intent, except the forms that name their own subject. */
function subjectOf(sent: FormData): string {
  const subject = sent.get("subject") ?? sent.get("intent");
  return typeof subject === "string" ? subject.slice(0, 100) : "";
}

/** A lost answer keeps what was typed. */
export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  const sent = await request.clone().formData();
  return passOn(serverAction, (): CaseAnswer => ({
    subject: subjectOf(sent),
    errors: { form: ADMIN_TEXTS.lost },
    words: wordsOf(sent),
  }));
}

export default function ModerationCase({ loaderData, actionData }: Route.ComponentProps) {
  const answer = useFormAnswer(actionData);
  return <CaseView {...loaderData} answer={answer} />;
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const missing = {
    icon: "search",
    title: "Case not found",
    action: <LinkButton to="/admin/moderation">Cases to decide</LinkButton>,
  } as const;
  return <ScreenFailed title="We couldn't load the case" error={error} missing={missing} />;
}
