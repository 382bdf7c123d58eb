import { data } from "react-router";
import type { Route } from "./+types/moderation-case.ts";
import { type CaseAnswer, caseForm } from "#app/moderation/cases/case-forms.ts";
import { ADMIN_TEXTS } from "#app/team/admin-texts.ts";
import { answerAppeal } from "#app/moderation/cases/undo-case.server.ts";
import { decideCase } from "#app/moderation/cases/decide-case.server.ts";
import { type CaseResult, findCaseFacts, refusalFor } from "#app/moderation/cases/case-facts.server.ts";
import { CaseView } from "#app/moderation/cases/case-view.tsx";
import { passAdminForm } from "#app/team/form-answer.ts";
import { addCaseNote } from "#app/moderation/cases/note-case.server.ts";
import { findCasePage } from "#app/moderation/cases/find-case.server.ts";
import { redirectWithFlash } from "#app/platform/flash.server.ts";
import { readCursor } from "#app/catalogue/catalogue-rules.ts";
import { requireViewer, servicesContext } from "#app/request/context.ts";
import { changeClaim, findClaim } from "#app/team/claims.server.ts";
import { readAdminForm } from "#app/screens/actions/admin-form.server.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { reloadsOnConflict } from "#app/ui/feedback/no-answer.ts";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { ScreenFailed } from "#app/ui/feedback/screen-failed.tsx";
import { useFormAnswer } from "#app/ui/forms/use-form-answer.ts";

export function meta() {
  return pageMeta("Case");
}

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const { searchParams } = new URL(request.url);
  const services = context.get(servicesContext);
  const claim = findClaim(services, claimed(params.caseId));
  const page = await findCasePage(services.db, requireViewer(context), params.caseId, {
    before: readCursor(searchParams.get("older")),
    after: readCursor(searchParams.get("newer")),
  });
  if (!page) throw data(null, { status: 404 });
  return { page, claim: page.refusal === "concerned" ? null : await claim };
}

/** What a claim on a case is about. */
function claimed(caseId: string): string {
  return `case:${caseId}`;
}

export async function action(args: Route.ActionArgs) {
  const sent = await readAdminForm(args, caseForm);
  if (!sent.ok) return sent.answer;
  const { services, admin, form, echo, refuse, back } = sent;
  const { caseId } = args.params;
  switch (form.intent) {
    case "claim":
    case "release": {
      // Who may not decide it keeps nobody from it.
      const facts = await findCaseFacts(services.db, caseId);
      if (!facts) return notFound();
      const refusal = refusalFor(admin, facts);
      if (refusal) return back("error", ADMIN_TEXTS[refusal === "decided" ? "decided_by_you" : refusal]);
      const done = await changeClaim(services, admin, claimed(caseId), form);
      return back(done ? "success" : "error", ADMIN_TEXTS[done ? form.intent : "stale"]);
    }
    case "note":
      return (await addCaseNote(services, admin, caseId, form.note)) ? back("success", ADMIN_TEXTS.noted) : notFound();
    case "decide-case":
      if (form.decision === "suspended" && form.confirmed !== "yes")
        return data<CaseAnswer>({ ...echo, errors: {}, confirm: true });
      return proceed(await decideCase(services, admin, { caseId, ...form }), "case_decided");
    case "answer-appeal": {
      const { granted, answer, seenAt } = form;
      const answered = await answerAppeal(services, admin, { caseId, granted: granted === "yes", answer, seenAt });
      return proceed(answered, "appeal_answered");
    }
  }

  /** Opens the next case, or returns to the case that couldn't be decided, with what was typed if it has changed. */
  function proceed(result: CaseResult, done: "case_decided" | "appeal_answered") {
    if (!result.ok) {
      if (result.code === "not_found") return notFound();
      if (result.code === "stale") return refuse({ form: ADMIN_TEXTS.stale }, 409);
      return back("error", ADMIN_TEXTS[result.code === "decided" ? "decided_by_you" : result.code]);
    }
    services.drainOutbox();
    return redirectWithFlash(services, result.nextId ? `/admin/moderation/${result.nextId}` : "/admin/moderation", {
      kind: "success",
      text: ADMIN_TEXTS[result.waits ?? done],
    });
  }
}

export const clientAction = (args: Route.ClientActionArgs) => passAdminForm(args);

export const shouldRevalidate = reloadsOnConflict;

function notFound(): never {
  throw data(null, { status: 404 });
}

export default function ModerationCase({ loaderData, actionData }: Route.ComponentProps) {
  const answer = useFormAnswer(actionData);
  // What is typed belongs to this case, and not to the next that is opened from the list.
  return <CaseView key={loaderData.page.case.id} {...loaderData} answer={answer} />;
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const missing = {
    icon: "search",
    title: "Case not found",
    action: <LinkButton to="/admin/moderation">Cases to decide</LinkButton>,
  } as const;
  return <ScreenFailed title="We couldn't load the case" error={error} missing={missing} />;
}
