import { data } from "react-router";
import { z } from "zod";
import type { Route } from "./+types/report.ts";
import { CASE_SUBJECTS, REPORT_REASONS } from "#app/db/states/moderation.ts";
import { type ReportAnswer, ReportForm } from "#app/moderation/reports/report-form.tsx";
import { REPORT_TEXT_MAX } from "#app/moderation/reports/report-rules.ts";
import { REPORT_TEXTS } from "#app/moderation/reports/report-texts.ts";
import { findReportable, sendReport } from "#app/moderation/reports/report.server.ts";
import { redirectWithFlash } from "#app/platform/flash.server.ts";
import { TOO_MANY_REQUESTS } from "#app/platform/rate-limit-rules.ts";
import { requireViewer, servicesContext } from "#app/request/context.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { passOn } from "#app/ui/feedback/no-answer.ts";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { ScreenFailed } from "#app/ui/feedback/screen-failed.tsx";
import { useFormAnswer } from "#app/ui/forms/use-form-answer.ts";

export function meta() {
  return pageMeta("Report");
}

function subjectOf(typed: string) {
  const subject = CASE_SUBJECTS.find((known) => known === typed);
  if (!subject) throw data(null, { status: 404 });
  return subject;
}

export async function loader({ params, context }: Route.LoaderArgs) {
  const reportable = await findReportable(context.get(servicesContext).db, {
    subject: subjectOf(params.subject),
    subjectId: params.id,
    viewerId: requireViewer(context).id,
  });
  if (!reportable) throw data(null, { status: 404 });
  return { reportable };
}

const form = z.object({
  reason: z.enum(REPORT_REASONS).or(z.literal("")).catch(""),
  text: z
    .string()
    .max(10 * REPORT_TEXT_MAX)
    .catch(""),
});

export async function action({ request, params, context }: Route.ActionArgs) {
  const viewer = requireViewer(context);
  const services = context.get(servicesContext);
  const subject = subjectOf(params.subject);
  const typed = form.parse(Object.fromEntries(await request.formData()));
  const refuse = (status: number, errors: ReportAnswer["errors"]) => data<ReportAnswer>({ errors, typed }, status);
  if (typed.reason === "") return refuse(400, { reason: REPORT_TEXTS.reason });
  if (!(await services.limits.write(viewer.id))) return refuse(429, { form: TOO_MANY_REQUESTS });
  const sent = await sendReport(services, {
    subject,
    subjectId: params.id,
    reporterId: viewer.id,
    reason: typed.reason,
    text: typed.text,
  });
  if (sent.ok) return redirectWithFlash(services, sent.seenAt, { kind: "success", text: REPORT_TEXTS.sent });
  if (sent.code === "not_found") throw data(null, { status: 404 });
  if (sent.code === "too_many") return refuse(429, { form: REPORT_TEXTS.too_many });
  return refuse(400, { [sent.code === "reason" ? "reason" : "text"]: REPORT_TEXTS[sent.code] });
}

/** A lost answer keeps what was chosen and typed. A repeated report adds nothing. */
export function clientAction({ serverAction }: Route.ClientActionArgs) {
  return passOn(serverAction, (): ReportAnswer => ({ errors: { form: REPORT_TEXTS.failed }, typed: null }));
}

export default function Report({ loaderData, actionData, params }: Route.ComponentProps) {
  const answer = useFormAnswer(actionData);
  return (
    <div className="page page--form">
      <ReportForm key={`${params.subject} ${params.id}`} reportable={loaderData.reportable} answer={answer} />
    </div>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const missing = {
    icon: "search",
    title: "There is nothing to report here",
    sentence: "It may have been removed already.",
    action: <LinkButton to="/home">Go to Home</LinkButton>,
  } as const;
  return <ScreenFailed title="We couldn't load this page" error={error} missing={missing} />;
}
